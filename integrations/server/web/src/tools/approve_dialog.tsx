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
  onApprove: () => void;
  onDeny: () => void;
}

export function ApproveDialog({ tool, message, arguments: values, onApprove, onDeny }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby={title} onClose={onDeny}>
      <h2 id={title}>
        May <code>{tool.name}</code> run?
      </h2>
      <p>{visible(message)}</p>
      <p className="muted">{effectsOf(tool.effects).meaning}</p>
      <JsonView value={values} label="arguments of the call" />
      <div className="actions">
        <button type="button" className="primary" onClick={onApprove}>
          Run it
        </button>
        <button type="button" onClick={onDeny}>
          Do not run
        </button>
      </div>
    </dialog>
  );
}
