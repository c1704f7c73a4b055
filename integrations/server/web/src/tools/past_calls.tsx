// Earlier calls of a tool, to make again or to take elsewhere.

import { addressOf } from "../api/request.ts";
import { tokenOf } from "../api/token.ts";
import { oneLine } from "../json/one_line.ts";
import { CopyButton } from "../shell/copy_button.tsx";
import { clockText } from "../shell/times.ts";
import { asCurl, asRustTest } from "./as_code.ts";
import type { PastCall } from "./history.ts";

interface Props {
  tool: string;
  calls: PastCall[];
  onUse: (argumentsText: string) => void;
}

export function PastCalls({ tool, calls, onUse }: Props) {
  if (calls.length === 0) return null;
  const address = addressOf(`tools/${encodeURIComponent(tool)}/call`);
  return (
    <details className="past-calls">
      <summary>Earlier calls ({calls.length})</summary>
      <ul aria-label="Earlier calls">
        {calls.map((call) => (
          <li key={call.atMs}>
            <span className="muted time">{clockText(call.atMs)}</span>
            <code>{oneLine(call.argumentsText)}</code>
            <span className={`badge ${call.ok ? "good" : "bad"}`}>{call.ok ? "done" : "failed"}</span>
            <span className="actions">
              <button type="button" className="quiet" onClick={() => onUse(call.argumentsText)}>
                Use again
              </button>
              <CopyButton label="As curl" what="call as curl" text={asCurl(address, call, tokenOf() !== "")} />
              <CopyButton label="As Rust test" what="call as Rust test" text={asRustTest(tool, call)} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
