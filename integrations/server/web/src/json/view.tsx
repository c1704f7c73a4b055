// A value of JSON as a person reads it: a short one in a line, a long one as text that can be scrolled and copied.

import { pretty } from "../api/json_value.ts";
import { CopyButton } from "../shell/copy_button.tsx";

interface Props {
  value: unknown;
  /** What the value is, for those who do not see where it stands. */
  label: string;
}

export function JsonView({ value, label }: Props) {
  return <TextView text={typeof value === "string" ? value : pretty(value)} label={label} />;
}

export function TextView({ text, label }: { text: string; label: string }) {
  return (
    <div className="code-block">
      {/* It can be scrolled, so it can be focused. */}
      <pre tabIndex={0} role="group" aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} what={label} />
    </div>
  );
}
