// Where the user writes: a question, or more for the run that is under way.

import type { FileUIPart } from "ai";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";

import { messageOf } from "../api/request.ts";
import { Attachments, readFiles } from "./attachments.tsx";
import { waitingText } from "./spoken_state.ts";

interface Props {
  isRunning: boolean;
  isLost: boolean;
  /** The calls that wait for a decision. */
  waiting: number;
  onSend: (text: string, files: FileUIPart[]) => void;
  onPush: (text: string) => Promise<void>;
  onCancel: (afterRound: boolean) => Promise<void>;
}

export function Composer({ isRunning, isLost, waiting, onSend, onPush, onCancel }: Props) {
  const [text, setText] = useState("");
  const [files, setFiles] = useState<FileUIPart[]>([]);
  const [note, setNote] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const isWaiting = isLost || waiting > 0;
  const isEmpty = text.trim() === "" && files.length === 0;
  useEffect(() => {
    if (!isRunning) setNote("");
  }, [isRunning]);

  const submit = () => {
    if (isEmpty || isWaiting) return;
    if (isRunning) {
      if (text.trim() === "") return;
      onPush(text).then(
        () => {
          setText("");
          setNote("The model reads it with its next request.");
        },
        (error: unknown) => setNote(messageOf(error)),
      );
    } else {
      onSend(text, files);
      setText("");
      setFiles([]);
      setNote("");
    }
    field.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      submit();
    }
  };

  return (
    <form
      className="composer"
      aria-label="Write"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Attachments files={files} onChange={setFiles} />
      <label className="visually-hidden" htmlFor="question">
        {isRunning ? "Add to the run" : "Your message"}
      </label>
      <textarea
        id="question"
        ref={field}
        rows={Math.min(8, Math.max(2, text.split("\n").length))}
        value={text}
        placeholder={isRunning ? "Add something while the run is under way" : "Ask the model"}
        aria-describedby="composer-note"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="actions">
        <label className="button attach">
          Image
          <input
            type="file"
            className="visually-hidden"
            accept="image/png,image/jpeg,image/gif,image/webp"
            multiple
            disabled={isRunning}
            onChange={(event) => {
              void readFiles(event.target.files).then((read) => setFiles((files) => [...files, ...read]));
              event.target.value = "";
            }}
          />
        </label>
        <span id="composer-note" className="muted note" role="status">
          {waiting > 0 ? waitingText(waiting) : note}
        </span>
        {isRunning && (
          <>
            <button type="button" onClick={() => void onCancel(true)}>
              Stop after this round
            </button>
            <button type="button" className="danger" onClick={() => void onCancel(false)}>
              Cancel
            </button>
          </>
        )}
        <button type="submit" className="primary" disabled={isEmpty || isWaiting}>
          {isRunning ? "Add" : "Send"}
        </button>
      </div>
    </form>
  );
}
