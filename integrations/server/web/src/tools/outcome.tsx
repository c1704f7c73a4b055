// What came of a call: progress, the result, and who reads what of it.

import type { Json } from "../api/json_value.ts";
import type { CallResult, OutputPart } from "../api/tools.ts";
import { JsonView, TextView } from "../json/view.tsx";
import { spanText } from "../shell/times.ts";
import { ProgressLine, lastProgress } from "../message/progress.tsx";
import type { CallState } from "./use_call.ts";

export function Outcome({ state }: { state: CallState }) {
  return (
    <div className="outcome">
      <p role="status" className="visually-hidden">
        {spoken(state)}
      </p>
      {state.step === "running" && <ProgressLine said={lastProgress(state.progress)} isRunning />}
      {state.step === "failed" && <p className="notice bad">{state.message}</p>}
      {state.step === "done" && <Result result={state.result} progress={state.progress} />}
    </div>
  );
}

function spoken(state: CallState): string {
  switch (state.step) {
    case "running":
      return "The call runs.";
    case "done":
      return state.result.ok ? "The call is done." : "The call failed.";
    case "failed":
      return state.message;
    default:
      return "";
  }
}

function Result({ result, progress }: { result: CallResult; progress: Json[] }) {
  const images = (result.parts ?? []).filter(isImage);
  const output = result.output;
  const isRead = typeof output === "string" && output === result.forModel;
  return (
    <section aria-labelledby="result" className={`result ${result.ok ? "good" : "bad"}`}>
      <header>
        <h4 id="result">{result.ok ? "Result" : "Error"}</h4>
        {result.category && <span className="badge bad">{result.category}</span>}
        <span className="muted">{spanText(result.elapsedMs)}</span>
        {progress.length > 0 && <span className="muted">{progress.length} messages of progress</span>}
      </header>
      {images.map((part, index) => (
        <img key={index} src={String(part["url"])} alt={`Image ${index + 1} of the result`} />
      ))}
      {result.ok && output !== undefined && output !== null && !isRead && (
        <Reader title="Value" value={output} />
      )}
      {result.forModel !== undefined && <Reader title="The model reads" value={result.forModel} />}
      {result.forLog !== undefined && result.forLog !== null && result.forLog !== result.forModel && (
        <Reader title="The log reads" value={result.forLog} />
      )}
      {result.details !== undefined && result.details !== null && (
        <details>
          <summary>Details of the error</summary>
          <JsonView value={result.details} label="details of the error" />
        </details>
      )}
    </section>
  );
}

function Reader({ title, value }: { title: string; value: Json }) {
  return (
    <>
      <h5>{title}</h5>
      {typeof value === "string" ? <TextView text={value} label={title} /> : <JsonView value={value} label={title} />}
    </>
  );
}

function isImage(part: OutputPart): boolean {
  return part["type"] === "image" && typeof part["url"] === "string";
}
