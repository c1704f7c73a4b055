// All runs, or one of them.

import { RunDetail } from "./detail.tsx";
import { RunList } from "./list.tsx";

export function RunsPage({ id, sequence }: { id: string | null; sequence: number | null }) {
  return id === null ? <RunList /> : <RunDetail key={id} id={id} sequence={sequence} />;
}
