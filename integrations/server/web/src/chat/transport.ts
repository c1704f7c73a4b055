// The requests of `useChat`, with a look at what comes.

import { DefaultChatTransport, type UIMessageChunk } from "ai";

import { addressOf, send } from "../api/request.ts";
import type { StreamClock } from "../message/clock.ts";
import type { ChatMessage } from "../api/messages.ts";

export class ChatTransport extends DefaultChatTransport<ChatMessage> {
  readonly #clock: StreamClock;
  #isReplay = false;

  constructor(clock: StreamClock) {
    super({
      api: addressOf("chat"),
      fetch: send,
      // A request for another answer names the answer that it replaces also when it is sent again.
      prepareSendMessagesRequest: ({ id, messages, trigger, messageId, body }) => ({
        body: { id, messages, trigger, messageId, ...body },
      }),
    });
    this.#clock = clock;
  }

  override async reconnectToStream(options: Parameters<DefaultChatTransport<ChatMessage>["reconnectToStream"]>[0]) {
    this.#isReplay = true;
    return super.reconnectToStream(options);
  }

  override async sendMessages(options: Parameters<DefaultChatTransport<ChatMessage>["sendMessages"]>[0]) {
    this.#isReplay = false;
    return super.sendMessages(options);
  }

  protected override processResponseStream(
    stream: ReadableStream<Uint8Array<ArrayBufferLike>>,
  ): ReadableStream<UIMessageChunk> {
    const clock = this.#clock;
    const isReplay = this.#isReplay;
    return super.processResponseStream(stream).pipeThrough(
      new TransformStream<UIMessageChunk, UIMessageChunk>({
        transform(chunk, controller) {
          clock.see(chunk, isReplay);
          controller.enqueue(chunk);
        },
      }),
    );
  }
}
