// Copies a text.

import { useState } from "react";

interface Props {
  text: string;
  what: string;
  label?: string;
}

export function CopyButton({ text, what, label = "Copy" }: Props) {
  const [said, setSaid] = useState("");
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setSaid("Copied"),
      () => setSaid("Not copied"),
    );
  };
  return (
    <button type="button" className="copy quiet" onClick={copy} onBlur={() => setSaid("")}>
      <span aria-hidden="true">{said || label}</span>
      <span className="visually-hidden" role="status">
        {said}
      </span>
      <span className="visually-hidden">Copy {what}</span>
    </button>
  );
}
