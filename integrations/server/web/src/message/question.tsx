// Asks a person what a call wants to know: by a form, or at an address that the person opens. The texts may come from a
// stranger, so they are shown as they are, with the name of the tool.

import { useId, useMemo, useState } from "react";

import { isObject, pretty, type JsonObject } from "../api/json_value.ts";
import type { Question } from "../api/messages.ts";
import { parseJson } from "../json/parse.ts";
import { visible, visibleLine } from "../json/visible.ts";
import { Arguments } from "../tools/form/arguments.tsx";
import { startOf } from "../tools/form/start.ts";
import { isLink } from "./links.ts";

interface Props {
  tool: string;
  question: Question;
  /** What was typed before: the form is made anew when the server refuses the answer, or when the message is read again. */
  draft?: string | undefined;
  onDraft?: (text: string) => void;
  /** Why the server has refused the answer. */
  refusal: string | null;
  /** Takes the answer as JSON text, or `null` for a no. Absent where nobody can answer, as in a replay. */
  onAnswer: ((answer: string | null) => void) | null;
}

/** The answer of a person who has opened an address. */
const OPENED = "{}";

export function QuestionForm({ tool, question, draft, onDraft, refusal, onAnswer }: Props) {
  const id = useId();
  const form = useMemo(() => formOf(question), [question]);
  const [text, setText] = useState(() => draft ?? pretty(form === null ? {} : (startOf(form) ?? {})));
  const name = visibleLine(tool);
  const write = (text: string) => {
    setText(text);
    onDraft?.(text);
  };
  const answer = () => onAnswer?.(form === null ? OPENED : text);
  return (
    <div className="approval question" role="group" aria-labelledby={`${id}-asks`} aria-describedby={`${id}-message`}>
      <p id={`${id}-asks`}>
        <code>{name}</code> asks:
      </p>
      <p id={`${id}-message`} className="question-text">
        {visible(question.message)}
      </p>
      {question.url !== undefined && <Address url={question.url} />}
      {onAnswer !== null && (
        <>
          {form !== null && (
            <Arguments what="answer" schema={form} text={text} onText={write} onSubmit={answer} />
          )}
          {refusal !== null && (
            <p className="notice bad" role="alert">
              {visible(refusal)}
            </p>
          )}
          <div className="actions">
            <button type="button" className="primary" onClick={answer}>
              {form === null ? "I have opened it" : "Answer"}
              <span className="visually-hidden"> {name}</span>
            </button>
            <button type="button" onClick={() => onAnswer(null)}>
              Decline<span className="visually-hidden"> {name}</span>
            </button>
          </div>
        </>
      )}
    </div>
  );
}

/** Nothing opens it but the person, who sees its host first: the text of an address can hide it. */
function Address({ url }: { url: string }) {
  const host = hostOf(url);
  if (host === null) return <p className="muted">The address cannot be opened: {visibleLine(url)}</p>;
  return (
    <p className="question-text">
      Open at <strong>{host}</strong>, in a new tab:{" "}
      <a href={url} target="_blank" rel="noopener noreferrer">
        {visibleLine(url)}
      </a>
    </p>
  );
}

function hostOf(url: string): string | null {
  return isLink(url) && URL.canParse(url) ? new URL(url).host : null;
}

function formOf({ form, url }: Question): JsonObject | null {
  if (url !== undefined) return null;
  const schema = typeof form === "string" ? parseJson(form).value : form;
  // Whatever else is asked for can be written as JSON.
  return isObject(schema) ? schema : {};
}
