// Copies a text.

import { useState } from "react";

export function CopyButton({ text, what }: { text: string; what: string }) {
  const [said, setSaid] = useState("");
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setSaid("Copied"),
      () => setSaid("Not copied"),
    );
  };
  return (
    <button type="button" className="copy quiet" onClick={copy} onBlur={() => setSaid("")}>
      <span aria-hidden="true">{said || "Copy"}</span>
      <span className="visually-hidden" role="status">
        {said}
      </span>
      <span className="visually-hidden">Copy {what}</span>
    </button>
  );
}
