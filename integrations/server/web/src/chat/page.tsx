// The chats of the user, and one of them.

import { useCallback, useState } from "react";

import { getChat, getChats, type StoredChat } from "../api/chats.ts";
import type { Info } from "../api/info.ts";
import { newId } from "../shell/new_id.ts";
import { go, hrefOf } from "../shell/route.ts";
import { Failed, Loading } from "../shell/status.tsx";
import { useLoaded } from "../shell/use_loaded.ts";
import { Conversation } from "./conversation.tsx";
import { ChatList } from "./list.tsx";

export function ChatPage({ id, info }: { id: string | null; info: Info | null }) {
  // The id of the chat that begins with the next message. It goes into the address with that message.
  const [draft, setDraft] = useState({ id: newId(), isUsed: false });
  const chats = useLoaded("chats", (signal) => getChats(null, signal));
  if (id === null && draft.isUsed) setDraft({ id: newId(), isUsed: false });
  if (id === draft.id && !draft.isUsed) setDraft({ ...draft, isUsed: true });

  const current = id ?? draft.id;
  const { reload } = chats;
  const title = chats.value?.items.find((chat) => chat.id === current)?.title ?? null;
  const onDeleted = useCallback(() => {
    go({ area: "chat", id: null });
    reload();
  }, [reload]);
  const onSaid = useCallback(() => {
    if (id === null) go({ area: "chat", id: draft.id }, { replace: true });
  }, [id, draft.id]);

  return (
    <div className="panes chat-panes" data-open={true}>
      <ChatList chats={chats} current={id} />
      {current === draft.id ? (
        <Conversation
          key={current}
          id={current}
          stored={null}
          title={title}
          info={info}
          onSaid={onSaid}
          onChange={reload}
          onDeleted={onDeleted}
        />
      ) : (
        <StoredConversation key={current} id={current} title={title} info={info} onChange={reload} onDeleted={onDeleted} />
      )}
    </div>
  );
}

interface StoredProps {
  id: string;
  title: string | null;
  info: Info | null;
  onChange: () => void;
  onDeleted: () => void;
}

function StoredConversation({ id, ...props }: StoredProps) {
  const chat = useLoaded<StoredChat>(id, (signal) => getChat(id, signal));
  if (chat.state === "loading") return <Loading what="the chat" />;
  if (chat.state === "failed") {
    return (
      <div className="detail">
        <Failed retry={chat.reload}>{chat.error}</Failed>
        <a href={hrefOf({ area: "chat", id: null })}>New chat</a>
      </div>
    );
  }
  return <Conversation id={id} stored={chat.value} onSaid={nothing} {...props} />;
}

const nothing = () => {};
