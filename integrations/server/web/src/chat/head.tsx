// The title of a chat, and what can be done with the whole of it.

import { useEffect, useId, useRef, useState, type ReactNode, type SubmitEvent } from "react";

import { deleteChat, exportOf, renameChat } from "../api/chats.ts";
import { messageOf } from "../api/request.ts";
import { downloadSignedIn } from "../shell/download.ts";

/** The longest title, in characters, as the server takes it. */
const TITLE = 80;

interface Props {
  id: string;
  title: string;
  onRenamed: (title: string | null) => void;
  onDeleted: () => void;
}

export function ChatHead({ id, title, onRenamed, onDeleted }: Props) {
  const [open, setOpen] = useState<"rename" | "delete" | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(null);
  useEffect(() => {
    // Behind an open dialog nothing takes the focus.
    if (open === null) opener.current?.focus();
  }, [open]);
  return (
    <header className="chat-head">
      <h1 id="chat-title">{title || "Chat"}</h1>
      <div className="actions">
        <button
          type="button"
          className="quiet"
          onClick={(event) => {
            opener.current = event.currentTarget;
            setOpen("rename");
          }}
        >
          Rename
        </button>
        <a className="quiet" href={exportOf(id)} download onClick={downloadSignedIn("chat.json")}>
          Export
        </a>
        <button
          type="button"
          className="quiet"
          onClick={(event) => {
            opener.current = event.currentTarget;
            setOpen("delete");
          }}
        >
          Delete
        </button>
      </div>
      {open === "rename" && (
        <Ask
          question="Rename the chat"
          action="Rename"
          act={async (form) => {
            const given = String(form.get("title")).trim();
            onRenamed(await renameChat(id, given === "" ? null : given));
          }}
          onDone={close}
          onClose={close}
        >
          <label>
            Title
            <input type="text" name="title" defaultValue={title} maxLength={TITLE} autoComplete="off" />
          </label>
          <p className="muted">Without a title the chat has that of its first question.</p>
        </Ask>
      )}
      {open === "delete" && (
        <Ask question="Delete the chat?" action="Delete it" danger act={() => deleteChat(id)} onDone={onDeleted} onClose={close}>
          <p>The server deletes its messages and its runs. This cannot be undone.</p>
        </Ask>
      )}
    </header>
  );
}

interface AskProps {
  question: string;
  action: string;
  danger?: boolean;
  act: (form: FormData) => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
  children: ReactNode;
}

function Ask({ question, action, danger = false, act, onDone, onClose, children }: AskProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const [state, setState] = useState<{ busy: boolean; error: string | null }>({ busy: false, error: null });
  useEffect(() => dialog.current?.showModal(), []);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (state.busy) return;
    setState({ busy: true, error: null });
    act(new FormData(event.currentTarget)).then(onDone, (error: unknown) =>
      setState({ busy: false, error: messageOf(error) }),
    );
  };
  return (
    <dialog ref={dialog} aria-labelledby={title} onClose={onClose}>
      <h2 id={title}>{question}</h2>
      <form className="ask" onSubmit={submit}>
        {children}
        {state.error !== null && (
          <p className="notice bad" role="alert">
            {state.error}
          </p>
        )}
        <div className="actions">
          <button type="submit" className={danger ? "danger" : "primary"}>
            {action}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}
