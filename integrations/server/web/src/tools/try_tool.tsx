// A place to call a tool by hand.

import { useState } from "react";

import { pretty } from "../api/json_value.ts";
import type { ToolDetails } from "../api/tools.ts";
import { ApproveDialog } from "./approve_dialog.tsx";
import { Arguments } from "./form/arguments.tsx";
import { startOf } from "./form/start.ts";
import { useHistory } from "./history.ts";
import { Outcome } from "./outcome.tsx";
import { PastCalls } from "./past_calls.tsx";
import { useCall } from "./use_call.ts";

export function TryTool({ tool }: { tool: ToolDetails }) {
  const [text, setText] = useState(() => pretty(startOf(tool.parameters) ?? {}));
  const [past, add] = useHistory(tool.name);
  const { state, run, stop } = useCall(tool.name, add);
  const isRunning = state.step === "running";
  const start = () => {
    if (!isRunning) void run(text, false);
  };
  if (tool.external) {
    return <p className="notice">The application answers the calls of this tool. It cannot be tried here.</p>;
  }
  return (
    <section aria-labelledby="try-tool">
      <h3 id="try-tool">Try it</h3>
      <Arguments schema={tool.parameters} text={text} onText={setText} onSubmit={start} />
      <div className="actions">
        <button type="button" className="primary" onClick={start} disabled={isRunning}>
          {isRunning ? "Running …" : "Run"}
        </button>
        {isRunning && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
        <span className="muted hint">Ctrl+Enter in the JSON runs it too. The arguments are sent as they stand there.</span>
      </div>
      <Outcome state={state} />
      <PastCalls tool={tool.name} calls={past} onUse={setText} />
      {state.step === "asking" && (
        <ApproveDialog
          tool={tool}
          message={state.message}
          arguments={state.arguments}
          mayApprove={state.mayApprove}
          onApprove={() => void run(state.text, true)}
          onDeny={stop}
        />
      )}
    </section>
  );
}
