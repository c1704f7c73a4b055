// Server-sent events of a response, as they come.

export interface ServerSentEvent {
  event: string;
  data: string;
  id: string;
}

export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new EventParser();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    // Whoever stops early ends the response.
    await reader.cancel().catch(() => {});
  }
}

/** Reads pieces of text that may be cut anywhere. An event that no empty line ends is not one. */
export class EventParser {
  #rest = "";
  #isStart = true;
  #event = "";
  #data: string[] = [];
  #id = "";

  push(text: string): ServerSentEvent[] {
    this.#rest += text;
    if (this.#isStart && this.#rest !== "") {
      this.#rest = this.#rest.replace(/^\uFEFF/, "");
      this.#isStart = false;
    }
    const events: ServerSentEvent[] = [];
    for (;;) {
      const end = this.#rest.search(/[\r\n]/);
      if (end < 0) return events;
      const isLast = end === this.#rest.length - 1;
      // The `\n` after this `\r` may be in the next piece.
      if (this.#rest[end] === "\r" && isLast) return events;
      const line = this.#rest.slice(0, end);
      this.#rest = this.#rest.slice(this.#rest.startsWith("\r\n", end) ? end + 2 : end + 1);
      const event = this.#line(line);
      if (event !== null) events.push(event);
    }
  }

  #line(line: string): ServerSentEvent | null {
    if (line === "") return this.#end();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#event = value;
    else if (field === "id") this.#id = value;
    return null;
  }

  #end(): ServerSentEvent | null {
    const data = this.#data.join("\n");
    const event = this.#event || "message";
    const isEmpty = this.#data.length === 0;
    this.#data = [];
    this.#event = "";
    return isEmpty ? null : { event, data, id: this.#id };
  }
}
