// Asks before a call that writes, or that somebody has to approve.

import { useEffect, useId, useRef } from "react";

import type { Json } from "../api/json_value.ts";
import type { Tool } from "../api/tools.ts";
import { JsonView } from "../json/view.tsx";
import { visible } from "../json/visible.ts";
import { effectsOf } from "./effects.tsx";

interface Props {
  tool: Tool;
  message: string;
  arguments: Json;
  /** False if an approver of the application decides, and the word of the caller does not count. */
  mayApprove: boolean;
  onApprove: () => void;
  onDeny: () => void;
}

export function ApproveDialog({ tool, message, arguments: values, mayApprove, onApprove, onDeny }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby={title} onClose={onDeny}>
      <h2 id={title}>
        May <code>{tool.name}</code> run?
      </h2>
      <p>
        {mayApprove
          ? visible(message)
          : "The application decides about calls of this tool. Without an approver of its own it denies them."}
      </p>
      <p className="muted">{effectsOf(tool.effects).meaning}</p>
      <JsonView value={values} label="arguments of the call" />
      <div className="actions">
        <button type="button" className="primary" onClick={onApprove}>
          {mayApprove ? "Run it" : "Ask the application"}
        </button>
        <button type="button" onClick={onDeny}>
          Do not run
        </button>
      </div>
    </dialog>
  );
}
