// What a page does with the parts of a message.
import type { AbstractChat, UIMessage } from "ai";

type Chat = AbstractChat<UIMessage>;
export type Tools = Record<string, (input: never) => unknown>;

type Progress = { progress?: number; total?: number; message?: string };
type Call = {
  type: string; state?: string; toolCallId: string; input: never; preliminary?: boolean; output?: Progress;
  approval?: { id: string };
};
export type Question = { message: string; form?: object | string; url?: string };

export async function answerCalls(chat: Chat, tools: Tools) {
  let answers = 0;
  for (const part of chat.lastMessage?.parts ?? []) {
    const { type, state, toolCallId, input } = part as Call;
    const tool = type.slice("tool-".length);
    if (state !== "input-available" || !Object.hasOwn(tools, tool)) continue;
    await chat.addToolOutput({ tool, toolCallId, output: await tools[tool](input) } as never);
    answers += 1;
  }
  if (answers > 0) await chat.sendMessage();
}

export function questionOf(message: UIMessage, part: object): Question | null {
  const { approval } = part as Call;
  const asked = message.parts.find((part) => part.type === "data-question" && part.id === approval?.id);
  return asked ? (asked as { data: Question }).data : null;
}

export async function answerQuestion(chat: Chat, part: object, values: object) {
  const { id } = (part as Call).approval!;
  await chat.addToolApprovalResponse({ id, approved: true, reason: JSON.stringify(values) });
}

export function askAgain(chat: Chat) {
  chat.messages = chat.messages.map((message) => ({ ...message, parts: message.parts.map((part) => {
    const { state, approval } = part as Call;
    if (state !== "approval-responded" || !questionOf(message, part)) return part;
    return { ...part, state: "approval-requested", approval: { id: approval?.id } } as typeof part;
  }) }));
}

export async function filePart(file: Blob) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return { type: "file" as const, mediaType: file.type, url: `data:${file.type};base64,${btoa(text)}` };
}

export function progressOf(part: object) {
  const { state, preliminary, output } = part as Call;
  if (state !== "output-available" || !preliminary) return null;
  const { progress, total, message } = output ?? {};
  return total ? `${message ?? ""} ${progress} of ${total}`.trim() : (message ?? "");
}

const resuming = new WeakSet<Chat>();

export async function resumeIfLost(
  chat: Chat,
  again: () => Promise<void> = () => chat.sendMessage(),
  wait = (ms: number) => new Promise((done) => setTimeout(done, ms)),
) {
  // A page calls it for each error, those of its own tries as well.
  if (resuming.has(chat)) return;
  resuming.add(chat);
  for (let tries = 0; tries < 10 && chat.error instanceof TypeError; tries += 1) {
    await wait(Math.min(500 * 2 ** tries, 8_000));
    if (!(chat.error instanceof TypeError)) break;
    // Without a part of the answer, the request may never have arrived. It counts once.
    await (chat.lastMessage?.role === "user" ? again() : chat.resumeStream());
  }
  resuming.delete(chat);
}

const UNSEEN = /(?![ \n\t])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]|[ \t](?=\n|$)|\\(?=u\{)/gu;

export function visible(text: string) {
  return text.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}
