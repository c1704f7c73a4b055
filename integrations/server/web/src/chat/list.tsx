// Earlier chats, the newest first.

import { useState } from "react";

import { getChats, type ChatSummary } from "../api/chats.ts";
import { messageOf } from "../api/request.ts";
import type { Page } from "../api/runs.ts";
import { hrefOf } from "../shell/route.ts";
import { Failed } from "../shell/status.tsx";
import { shortTime } from "../shell/times.ts";
import type { Loaded } from "../shell/use_loaded.ts";

interface Props {
  chats: Loaded<Page<ChatSummary>> & { reload: () => void };
  current: string | null;
}

export function ChatList({ chats, current }: Props) {
  const [more, setMore] = useState<{ of: Page<ChatSummary>; items: ChatSummary[]; next: string | null } | null>(null);
  const [error, setError] = useState<string | null>(null);
  const first = chats.value;
  const later = more !== null && more.of === first ? more : null;
  const items = [...(first?.items ?? []), ...(later?.items ?? [])];
  const next = later === null ? (first?.next ?? null) : later.next;

  const loadMore = () => {
    if (first === null || next === null) return;
    getChats(next).then(
      (page) => setMore({ of: first, items: [...(later?.items ?? []), ...page.items], next: page.next }),
      (error: unknown) => setError(messageOf(error)),
    );
  };

  return (
    <aside className="side chats" aria-label="Chats">
      <a className="button new-chat" href={hrefOf({ area: "chat", id: null })} aria-current={current === null ? "true" : undefined}>
        New chat
      </a>
      {chats.error !== null && <Failed retry={chats.reload}>{chats.error}</Failed>}
      {error !== null && <Failed retry={loadMore}>{error}</Failed>}
      <ul className="entries">
        {items.map((chat) => (
          <li key={chat.id}>
            <a href={hrefOf({ area: "chat", id: chat.id })} aria-current={chat.id === current ? "true" : undefined}>
              <span className="entry-title">{chat.title || "No text"}</span>
              <span className="entry-head">
                <span className="muted time">{shortTime(chat.updatedMs)}</span>
                {chat.status !== null && chat.status !== "finished" && (
                  <span className="badge warn">{chat.status === "suspended" ? "waits" : chat.status}</span>
                )}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {next !== null && (
        <button type="button" onClick={loadMore}>
          Earlier chats
        </button>
      )}
    </aside>
  );
}
