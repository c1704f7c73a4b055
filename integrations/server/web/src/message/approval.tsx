// Asks a person about a call.

import { useId, useState } from "react";

import { JsonView } from "../json/view.tsx";
import { visibleLine } from "../json/visible.ts";
import type { CallPart } from "../api/messages.ts";
import { toolNameOf } from "./shown.ts";

export type Decide = (decision: { approvalId: string; call: string; approved: boolean; reason?: string }) => void;

/** What a person decides with. */
export interface Deciding {
  decide: Decide;
  /** What was typed as the answer to a question, by the id of its approval. */
  drafts: Map<string, string>;
  /** The answers that the server refused last, and why. */
  refusal: { approvals: ReadonlySet<string>; message: string } | null;
}

interface Props {
  part: Extract<CallPart, { state: "approval-requested" }>;
  /** Absent where nobody can decide, as in a replay. */
  deciding: Deciding | null;
  /** The buttons go away with the decision, and the focus stays at the call. */
  onDecided: () => void;
}

export function Approval({ part, deciding, onDecided }: Props) {
  const id = useId();
  const [reason, setReason] = useState("");
  const name = visibleLine(toolNameOf(part));
  const answer = (approved: boolean) => {
    const said = reason.trim();
    deciding?.decide({
      approvalId: part.approval.id,
      call: part.toolCallId,
      approved,
      ...(said !== "" && !approved ? { reason: said } : {}),
    });
    onDecided();
  };
  return (
    <div className="approval" role="group" aria-labelledby={`${id}-question`}>
      <p id={`${id}-question`}>
        May <code>{name}</code> run with these arguments?
      </p>
      <JsonView value={part.input} label={`arguments of ${name}`} />
      {deciding !== null && (
        <div className="actions">
          <button type="button" className="primary" onClick={() => answer(true)}>
            Approve<span className="visually-hidden"> {name}</span>
          </button>
          <button type="button" className="danger" onClick={() => answer(false)}>
            Deny<span className="visually-hidden"> {name}</span>
          </button>
          <label className="reason">
            <span className="muted">Reason of a denial</span>
            <input
              type="text"
              value={reason}
              placeholder="The model reads it"
              onChange={(event) => setReason(event.target.value)}
            />
          </label>
        </div>
      )}
    </div>
  );
}
