// A value of JSON as a person reads it: text that can be scrolled and copied. What cannot be seen is written out; the copy is
// exact.

import { pretty } from "../api/json_value.ts";
import { CopyButton } from "../shell/copy_button.tsx";
import { visible } from "./visible.ts";

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
        {visible(text)}
      </pre>
      <CopyButton text={text} what={label} />
    </div>
  );
}
