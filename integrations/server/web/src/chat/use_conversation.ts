// The state of one chat, and what the user can do to it.

import { Chat, useChat } from "@ai-sdk/react";
import { isToolUIPart, type FileUIPart } from "ai";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";

import { cancelChat, pushMessage, type StoredChat } from "../api/chats.ts";
import { ApiError, isLost } from "../api/request.ts";
import { newId } from "../shell/new_id.ts";
import { AGAIN_MS } from "../shell/use_loaded.ts";
import type { Decide, Deciding } from "../message/approval.tsx";
import { StreamClock } from "../message/clock.ts";
import type { ChatMessage } from "../api/messages.ts";
import { shownOf } from "../message/shown.ts";
import { ChatTransport } from "./transport.ts";

/** Enough for smooth text, and not a drawing for each token. */
const THROTTLE_MS = 40;

export interface ChatControl {
  messages: ChatMessage[];
  clock: StreamClock;
  isRunning: boolean;
  /** The calls that wait for a decision. */
  waiting: number;
  /** True if the server is not reached. The page tries again by itself. */
  isLost: boolean;
  error: Error | null;
  clearError: () => void;
  send: (text: string, files: FileUIPart[]) => void;
  push: (text: string) => Promise<void>;
  cancel: (afterRound: boolean) => Promise<void>;
  regenerate: (message: string) => void;
  deciding: Deciding;
  /** Reads the run that is under way along. */
  follow: () => void;
}

export function useConversation(id: string, stored: StoredChat | null): ChatControl {
  const [clock] = useState(() => new StreamClock());
  const [transport] = useState(() => new ChatTransport(clock));
  const [failure, setFailure] = useState<Error | null>(null);
  const initial = useMemo(() => withoutRunning(stored), [stored]);
  // `useChat` forgets of a transport that it is given that a stream which is resumed begins at its start.
  const [state] = useState(
    () =>
      new Chat<ChatMessage>({
        id,
        messages: initial,
        transport,
        generateId: newId,
        // Each decision is sent when it is made. The other calls of the message may still wait.
        sendAutomaticallyWhen: ({ messages }) => isDecided(messages.at(-1)),
      }),
  );
  const chat = useChat<ChatMessage>({
    chat: state,
    resume: stored !== null && stored.running !== null && !stored.waiting,
    experimental_throttle: THROTTLE_MS,
  });
  useSyncExternalStore(clock.subscribe, clock.version);
  const { messages, status, sendMessage, setMessages, addToolApprovalResponse, resumeStream, clearError } = chat;
  const [drafts] = useState(() => new Map<string, string>());
  const [refusal, setRefusal] = useState<Deciding["refusal"]>(null);
  /** Sends what was sent last once more: it counts once. */
  const again = useRef(() => sendMessage());

  const lost = isLost(chat.error);
  useEffect(() => {
    if (!lost) return undefined;
    const timer = setTimeout(() => {
      // A run that has begun is read again from its start.
      if (messages.at(-1)?.role === "user") void again.current();
      else void resumeStream();
    }, AGAIN_MS);
    return () => clearTimeout(timer);
    // Each try that fails has another error.
  }, [lost, chat.error]);

  const unfit = chat.error instanceof ApiError && chat.error.code === "unfit" ? chat.error : null;
  useEffect(() => {
    if (unfit === null) return;
    // Nothing of the request was taken: the questions are open again, beside the reason.
    const answered = answeredIn(state.lastMessage);
    setMessages((messages) => messages.map((message) => reopened(message, answered)));
    setRefusal({ approvals: answered, message: unfit.message });
    clearError();
  }, [unfit, state, setMessages, clearError]);

  const send = useCallback(
    (text: string, files: FileUIPart[]) => {
      setFailure(null);
      again.current = () => sendMessage();
      void sendMessage(files.length > 0 ? { text, files } : { text });
    },
    [sendMessage],
  );
  const push = useCallback((text: string) => pushMessage(id, text).then(() => {}), [id]);
  const cancel = useCallback(
    (afterRound: boolean) =>
      cancelChat(id, afterRound).then(
        () => {},
        (error: unknown) => setFailure(error instanceof Error ? error : new Error(String(error))),
      ),
    [id],
  );
  const decide = useCallback<Decide>(
    ({ approvalId, call, approved, reason }) => {
      setRefusal(null);
      if (approved) clock.decided(call);
      void addToolApprovalResponse({ id: approvalId, approved, ...(reason === undefined ? {} : { reason }) });
    },
    [addToolApprovalResponse, clock],
  );

  return {
    messages,
    clock,
    isRunning: status === "submitted" || status === "streaming",
    waiting: callsOf(messages.at(-1), "approval-requested"),
    isLost: lost,
    error: lost || unfit !== null ? failure : (chat.error ?? failure),
    clearError: () => {
      setFailure(null);
      clearError();
    },
    send,
    push,
    cancel,
    regenerate: (messageId) => {
      again.current = () => chat.regenerate({ body: { messageId } });
      void again.current();
    },
    deciding: useMemo(() => ({ decide, drafts, refusal }), [decide, drafts, refusal]),
    follow: () => {
      clearError();
      void resumeStream();
    },
  };
}

/** The stream of a run that is under way brings its message from the start. */
function withoutRunning(stored: StoredChat | null): ChatMessage[] {
  if (stored === null) return [];
  if (stored.running === null || stored.waiting) return stored.messages;
  const at = stored.messages.findIndex((message) => message.id === stored.running);
  return at < 0 ? stored.messages : stored.messages.slice(0, at);
}

/** The approvals of the questions that the user has answered, and of which the server has taken nothing yet. */
function answeredIn(message: ChatMessage | undefined): ReadonlySet<string> {
  const answered = new Set<string>();
  if (message === undefined) return answered;
  const { questions } = shownOf(message.parts);
  for (const part of message.parts) {
    if (!isToolUIPart(part) || part.state !== "approval-responded") continue;
    if (questions.has(part.approval.id)) answered.add(part.approval.id);
  }
  return answered;
}

/** The message with these questions open again. */
function reopened(message: ChatMessage, answered: ReadonlySet<string>): ChatMessage {
  const parts = message.parts.map((part) =>
    isToolUIPart(part) && part.state === "approval-responded" && answered.has(part.approval.id)
      ? { ...part, state: "approval-requested" as const, approval: { id: part.approval.id } }
      : part,
  );
  return { ...message, parts };
}

function isDecided(message: ChatMessage | undefined): boolean {
  return callsOf(message, "approval-responded") > 0;
}

function callsOf(message: ChatMessage | undefined, state: string): number {
  return message?.parts.filter((part) => isToolUIPart(part) && part.state === state).length ?? 0;
}
