// A message of the chat, with what can be done with it.

import { hrefOf } from "../shell/route.ts";
import { Answer } from "../message/answer.tsx";
import type { ChatMessage } from "../api/messages.ts";
import { userPartsOf } from "../message/shown.ts";
import type { ChatControl } from "./use_conversation.ts";
import { useRunLog } from "./use_run_log.ts";
import { UserParts } from "../message/user_parts.tsx";

interface Props {
  message: ChatMessage;
  chat: ChatControl;
  isLast: boolean;
  isLive: boolean;
}

export function Message({ message, chat, isLast, isLive }: Props) {
  if (message.role === "user") {
    return (
      <li className="message user">
        <h2 className="visually-hidden">You</h2>
        <div className="said">
          <UserParts parts={userPartsOf(message)} />
        </div>
      </li>
    );
  }
  return <AssistantMessage message={message} chat={chat} isLast={isLast} isLive={isLive} />;
}

function AssistantMessage({ message, chat, isLast, isLive }: Props) {
  const log = useRunLog(message.id, isLive);
  const canRegenerate = isLast && !isLive && chat.waiting === 0;
  return (
    <li className="message assistant" aria-busy={isLive}>
      <h2 className="visually-hidden">Assistant</h2>
      <Answer
        message={message}
        isLive={isLive}
        live={chat.clock.spans}
        log={log}
        end={chat.clock.endOf(message.id)}
        deciding={isLast ? chat.deciding : null}
        actions={
          <>
            {canRegenerate && (
              <button type="button" className="quiet" onClick={() => chat.regenerate(message.id)}>
                Answer again
              </button>
            )}
            <a className="quiet" href={hrefOf({ area: "runs", id: message.id, sequence: null })}>
              Open the run
            </a>
          </>
        }
      />
    </li>
  );
}
