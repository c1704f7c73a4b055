// One chat: its messages, and a place to write the next one.

import type { FileUIPart } from "ai";
import { useEffect, useRef, useState } from "react";

import type { StoredChat } from "../api/chats.ts";
import type { Info } from "../api/info.ts";
import { ApiError, messageOf } from "../api/request.ts";
import { shownOf } from "../message/shown.ts";
import { Composer } from "./composer.tsx";
import { ChatHead } from "./head.tsx";
import { Message } from "./message.tsx";
import { spokenState } from "./spoken_state.ts";
import { useConversation } from "./use_conversation.ts";
import { useFollow } from "./use_follow.ts";
import { Welcome } from "./welcome.tsx";

interface Props {
  id: string;
  /** What the server has of the chat; `null` for one that has not begun. */
  stored: StoredChat | null;
  /** As the list of chats has it; `null` if it is not there. */
  title: string | null;
  info: Info | null;
  onSaid: () => void;
  onChange: () => void;
  onDeleted: () => void;
}

export function Conversation({ id, stored, title, info, onSaid, onChange, onDeleted }: Props) {
  // The list brings it later, and has only the newest chats.
  const [renamed, setRenamed] = useState<string | null>(null);
  const chat = useConversation(id, stored);
  const end = useRef<HTMLDivElement>(null);
  const { messages, isRunning } = chat;
  useFollow(end, messages);
  useEffect(() => {
    if (messages.length > 0) onChange();
  }, [isRunning, onChange]);
  const last = messages.at(-1);
  // The message of a run that failed says so itself, also after a reload.
  const failure = last?.role === "assistant" ? shownOf(last.parts).failure : null;
  const error = failure !== null && chat.error?.message === failure.message ? null : chat.error;
  const isBusyElsewhere = error instanceof ApiError && error.code === "busy";

  const ask = (text: string, files: FileUIPart[] = []) => {
    chat.send(text, files);
    onSaid();
  };

  return (
    <section className="conversation" aria-labelledby="chat-title">
      {messages.length === 0 ? (
        <h1 id="chat-title" className="visually-hidden">
          Chat
        </h1>
      ) : (
        <ChatHead
          id={id}
          title={renamed ?? title ?? stored?.title ?? ""}
          onRenamed={(title) => {
            setRenamed(title);
            onChange();
          }}
          onDeleted={onDeleted}
        />
      )}
      <p className="visually-hidden" role="status">
        {spokenState(last, {
          isRunning,
          isLost: chat.isLost,
          hasFailed: error !== null,
          waiting: chat.waiting,
          finishReason: last === undefined ? null : (chat.clock.endOf(last.id)?.finishReason ?? null),
        })}
      </p>
      {messages.length === 0 && <Welcome info={info} onAsk={ask} />}
      <ol className="messages">
        {messages.map((message) => (
          <Message
            key={message.id}
            message={message}
            chat={chat}
            isLast={message === last}
            isLive={message === last && isRunning}
          />
        ))}
        {isRunning && last?.role === "user" && (
          <li className="message assistant">
            <p className="muted">The model reads the question …</p>
          </li>
        )}
      </ol>
      {chat.isLost && (
        <p className="notice warn">The server cannot be reached. The page tries again, and goes on where it was.</p>
      )}
      {error !== null && (
        <div className="notice bad" role="alert">
          <p>{messageOf(error)}</p>
          <div className="actions">
            {isBusyElsewhere && (
              <button type="button" onClick={chat.follow}>
                Follow the run
              </button>
            )}
            <button type="button" onClick={chat.clearError}>
              Close
            </button>
          </div>
        </div>
      )}
      <div ref={end} />
      <Composer
        isRunning={isRunning}
        isLost={chat.isLost}
        waiting={chat.waiting}
        onSend={ask}
        onPush={chat.push}
        onCancel={chat.cancel}
      />
    </section>
  );
}
