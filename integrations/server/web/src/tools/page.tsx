// All tools, and one of them.

import { useState } from "react";

import { getTools } from "../api/tools.ts";
import { Failed, Loading } from "../shell/status.tsx";
import { useLoaded } from "../shell/use_loaded.ts";
import { ToolDetail } from "./detail.tsx";
import { ToolList } from "./list.tsx";

interface Props {
  name: string | null;
  /** The server lets a person call tools. */
  mayCall: boolean;
}

export function ToolsPage({ name, mayCall }: Props) {
  const tools = useLoaded("tools", getTools);
  const [search, setSearch] = useState("");
  if (tools.state === "loading") return <Loading what="the tools" />;
  if (tools.state === "failed") return <Failed retry={tools.reload}>{tools.error}</Failed>;
  const shown = name ?? tools.value[0]?.name ?? null;
  return (
    <div className="panes" data-open={name !== null}>
      <h1 className="visually-hidden">Tools</h1>
      <ToolList tools={tools.value} search={search} onSearch={setSearch} current={shown} />
      {shown !== null && <ToolDetail key={shown} name={shown} mayCall={mayCall} />}
    </div>
  );
}
