// One chat: its messages, and a place to write the next one.
import { Chat as ChatState, useChat } from "@ai-sdk/react";
import { DefaultChatTransport, getToolName, isToolUIPart, type FileUIPart, type UIMessage } from "ai";
import { Fragment, useEffect, useRef, useState, type SubmitEvent } from "react";

import { Call } from "./call.tsx";
import { answerCalls, answerQuestion, askAgain, filePart, questionOf, resumeIfLost, type Tools } from "./parts.ts";
import { Question } from "./question.tsx";
import { advice, ask, headers, refusalOf, type Refusal } from "./server.ts";

/** The external tools, which the page answers. */
const tools: Tools = { time_zone: () => Intl.DateTimeFormat().resolvedOptions().timeZone };

/** Sends each decision when it is made: the other calls of the message may still wait. */
const isDecided = ({ messages }: { messages: UIMessage[] }) =>
  messages.at(-1)?.parts.some((part) => isToolUIPart(part) && part.state === "approval-responded") ?? false;

const transport = new DefaultChatTransport({
  api: "/api/chat",
  headers,
  // A request for another answer names the answer that it replaces also when it is sent again.
  prepareSendMessagesRequest: ({ id, messages, trigger, messageId, body }) => ({
    body: { id, messages, trigger, messageId, ...body },
  }),
});

const Failed = ({ code, message }: Refusal) => <p role="alert">{message} {advice[code]}</p>;

export function Chat({ id, stored }: { id: string; stored: UIMessage[] }) {
  const [chat] = useState(
    () => new ChatState({ id, messages: stored, transport, sendAutomaticallyWhen: isDecided }),
  );
  const { messages, status, error } = useChat({ chat, resume: stored.length > 0 });
  const [files, setFiles] = useState<FileUIPart[]>([]);
  // Buttons that cannot be used any more lose the focus: it goes to the field.
  const field = useRef<HTMLInputElement>(null);
  const again = useRef(() => chat.sendMessage());
  const isRunning = status === "submitted" || status === "streaming";
  const refusal = error ? refusalOf(error) : null;

  useEffect(() => {
    if (status === "ready") void answerCalls(chat, tools);
    if (status === "error") void resumeIfLost(chat, () => again.current());
    if (error && refusalOf(error)?.code === "unfit") askAgain(chat);
  }, [chat, status, error]);

  const addFiles = async (added: Iterable<File>) => {
    const parts = await Promise.all(Array.from(added, filePart));
    setFiles((files) => [...files, ...parts]);
  };
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("text"));
    location.hash = id;
    again.current = () => chat.sendMessage();
    void chat.sendMessage({ text, files });
    event.currentTarget.reset();
    field.current?.focus();
    setFiles([]);
  };
  const stop = () => {
    field.current?.focus();
    void ask(`/chat/${id}/cancel`, {});
  };
  const answerAgain = () => {
    field.current?.focus();
    const messageId = messages.at(-1)?.id;
    again.current = () => chat.regenerate({ body: { messageId } });
    void again.current();
  };
  const decide = (id: string, approved: boolean) => void chat.addToolApprovalResponse({ id, approved });

  return (
    <>
      <ol aria-label="Messages" aria-busy={isRunning}>
        {messages.map((message) => (
          <li key={message.id} className={message.role}>
            {message.parts.map((part, index) => {
              if (part.type === "text") return <p key={index}>{part.text}</p>;
              if (part.type === "file") return <img key={index} src={part.url} alt="" />;
              // What a check refuses is answered by a text, which is that of the failure.
              if (part.type === "data-failure" && (part.data as Refusal).code !== "refused_input") {
                return <Failed key={index} {...(part.data as Refusal)} />;
              }
              if (!isToolUIPart(part)) return null;
              const asked = questionOf(message, part);
              return (
                <Fragment key={part.toolCallId}>
                  <Call part={part} decide={asked ? null : decide} />
                  {asked && (
                    <Question
                      key={part.approval?.id}
                      tool={getToolName(part)}
                      asked={asked}
                      isOpen={part.state === "approval-requested"}
                      answer={(values) => void (values ? answerQuestion(chat, part, values) : decide(part.approval!.id, false))}
                    />
                  )}
                </Fragment>
              );
            })}
          </li>
        ))}
      </ol>
      {refusal && <Failed {...refusal} />}
      <form onSubmit={send} onPaste={(event) => void addFiles(event.clipboardData.files)}>
        <input ref={field} autoFocus name="text" aria-label="Message" autoComplete="off" required />
        <input type="file" aria-label="Images" accept="image/*" onChange={(event) => void addFiles(event.target.files ?? [])} />
        <button disabled={isRunning}>Send</button>
        <button type="button" disabled={!isRunning} onClick={stop}>Stop</button>
        <button type="button" disabled={isRunning || messages.length === 0} onClick={answerAgain}>Answer again</button>
      </form>
    </>
  );
}
