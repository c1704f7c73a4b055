// One chat: its messages, and a place to write the next one.

import type { FileUIPart } from "ai";
import { useEffect, useRef } from "react";

import type { StoredChat } from "../api/chats.ts";
import type { Info } from "../api/info.ts";
import { ApiError, messageOf } from "../api/request.ts";
import { Composer } from "./composer.tsx";
import { Message } from "./message.tsx";
import { spokenState } from "./spoken_state.ts";
import { useConversation } from "./use_conversation.ts";
import { useFollow } from "./use_follow.ts";
import { Welcome } from "./welcome.tsx";

interface Props {
  id: string;
  /** What the server has of the chat; `null` for one that has not begun. */
  stored: StoredChat | null;
  info: Info | null;
  onSaid: () => void;
  onChange: () => void;
}

export function Conversation({ id, stored, info, onSaid, onChange }: Props) {
  const chat = useConversation(id, stored);
  const end = useRef<HTMLDivElement>(null);
  const { messages, isRunning } = chat;
  useFollow(end, messages);
  useEffect(() => {
    if (messages.length > 0) onChange();
  }, [isRunning, onChange]);
  const last = messages.at(-1);
  const isBusyElsewhere = chat.error instanceof ApiError && chat.error.code === "busy";

  const ask = (text: string, files: FileUIPart[] = []) => {
    chat.send(text, files);
    onSaid();
  };

  return (
    <section className="conversation" aria-labelledby="chat-title">
      <h1 id="chat-title" className="visually-hidden">
        Chat
      </h1>
      <p className="visually-hidden" role="status">
        {spokenState(last, {
          isRunning,
          isLost: chat.isLost,
          hasFailed: chat.error !== null,
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
      {chat.error !== null && (
        <div className="notice bad" role="alert">
          <p>{messageOf(chat.error)}</p>
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
