// The chat clients of `ai` 6 and 7: their parser, `readUIMessageStream` and `Chat`, over the transport of HTTP.
import assert from "node:assert/strict";
import * as ai6 from "ai6";
import * as ai7 from "ai7";
import { guide } from "./guide.mjs";

const modules = { 6: ai6, 7: ai7 };
const headers = { "content-type": "text/event-stream", "x-vercel-ai-ui-message-stream": "v1" };

// What is left of a message when it is sent: members that are `undefined` are not.
const plain = (value) => JSON.parse(JSON.stringify(value));

// A number that is too great is infinite for a client, and `null` when it is sent.
const parsedAsSent = (text) => plain(JSON.parse(text));

class State {
  status = "ready";
  error = undefined;
  messages = [];
  pushMessage = (message) => {
    this.messages = [...this.messages, message];
  };
  popMessage = () => {
    this.messages = this.messages.slice(0, -1);
  };
  replaceMessage = (index, message) => {
    this.messages = this.messages.with(index, this.snapshot(message));
  };
  snapshot = (message) => structuredClone(message);
}

function newChat(ai, fetch, onError) {
  const chat = new (class extends ai.AbstractChat {})({
    id: "chat",
    state: new State(),
    transport: new ai.DefaultChatTransport({ api: "http://server/chat", fetch }),
    onError,
  });
  return chat;
}

// A body in pieces that end anywhere, also in the middle of a character.
function body(frames, breaks) {
  const bytes = new TextEncoder().encode(frames.join(""));
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 777) {
        controller.enqueue(bytes.slice(at, at + 777));
      }
      if (breaks) {
        controller.error(new TypeError("network error"));
      } else {
        controller.close();
      }
    },
  });
}

async function chunks(ai, frames) {
  const parsed = ai.parseJsonEventStream({ stream: body(frames), schema: ai.uiMessageChunkSchema });
  const all = [];
  for await (const result of parsed) {
    assert.ok(result.success, `a frame is refused: ${result.error}`);
    all.push(result.value);
  }
  return all;
}

function checkSteps(all) {
  let open = 0;
  for (const { type } of all) {
    open += { "start-step": 1, "finish-step": -1 }[type] ?? 0;
    assert.ok(open === 0 || open === 1, "steps do not nest");
  }
  assert.equal(open, 0, "a step is left open");
}

async function read(ai, all, message, fails) {
  const stream = new ReadableStream({
    start(controller) {
      all.forEach((chunk) => controller.enqueue(chunk));
      controller.close();
    },
  });
  const errors = [];
  let last = message;
  for await (const next of ai.readUIMessageStream({
    message: message && structuredClone(message),
    stream,
    onError: (error) => errors.push(error.message),
  })) {
    last = next;
  }
  assert.deepEqual(errors, fails, "errors of the stream");
  return last;
}

// The errors that the frames themselves tell of.
const failures = (all) => all.filter(({ type }) => type === "error").map(({ errorText }) => errorText);

// A call of a void reply has the id of the call that comes in its place, and `addToolOutput` changes both. A page shows
// neither the step of it nor what became of it.
function withoutVoidSteps(message) {
  const parts = [];
  for (const part of message.parts) {
    if (part.type === "data-void") {
      parts.length = parts.findLastIndex(({ type }) => type === "step-start");
    } else {
      parts.push(part);
    }
  }
  return { ...message, parts };
}

// What the client itself knows of the decisions of its user is no difference.
function withoutDecisions(given) {
  const message = withoutVoidSteps(given);
  for (const part of message.parts) {
    if (part.approval) {
      part.approval = { id: part.approval.id };
    }
  }
  return message;
}

export async function check(one, send, counts) {
  const ai = modules[one.version];
  const expected = one.messages.map(parsedAsSent);
  let message;
  const parsed = [];
  for (const [place, frames] of one.requests.entries()) {
    const all = await chunks(ai, frames);
    assert.equal(all.length, frames.length - 1, "each frame is a chunk, and the last ends the stream");
    checkSteps(all);
    parsed.push(all);
    message = await read(ai, all, message, failures(all));
    assert.deepEqual(plain(message), expected[place], `the message after request ${place}`);
  }
  const replayed = await chunks(ai, one.replay);
  checkSteps(replayed);
  const again = await read(ai, replayed, undefined, failures(replayed));
  assert.deepEqual(plain(again), parsedAsSent(one.replayed), "the message of the log");
  await checkStored(ai, one, counts);
  await checkDecided(ai, one);
  await checkLateDenial(ai, one);
  await checkChat(ai, one, parsed, expected, send);
  await checkReconnect(ai, one, failures(replayed), counts);
}

async function checkChat(ai, one, parsed, expected, send) {
  let place = 0;
  const errors = [];
  const fetch = async (url, { method, body: sent }) => {
    assert.deepEqual([url, method], ["http://server/chat", "POST"]);
    if (place > 0) {
      send(place, sent);
    }
    return new Response(body(one.requests[place]), { headers });
  };
  const chat = newChat(ai, fetch, (error) => errors.push(error.message));
  await chat.sendMessage({ text: "Hi." });
  for (place = 1; place < one.requests.length; place += 1) {
    const answered = one.actions[place - 1].filter(({ isApproval }) => !isApproval);
    if (answered.length > 0 && answered.length === one.actions[place - 1].length) {
      await guide.answerCalls(chat, Object.fromEntries(answered.map(({ tool }) => [tool, () => "red"])));
      continue;
    }
    for (const action of one.actions[place - 1]) {
      const part = chat.lastMessage.parts.findLast(({ toolCallId }) => toolCallId === action.toolCallId);
      if (action.question) {
        const { answer, ...question } = action.question;
        assert.deepEqual({ form: null, url: null, ...guide.questionOf(chat.lastMessage, part) }, question);
        await guide.answerQuestion(chat, part, JSON.parse(answer));
      } else if (action.isApproval) {
        await chat.addToolApprovalResponse({ id: part.approval.id, approved: action.approved });
      } else {
        const { tool, toolCallId } = action;
        await chat.addToolOutput({ tool, toolCallId, output: "red" });
      }
    }
    await chat.sendMessage();
  }
  assert.deepEqual(errors, failures(parsed.flat()).slice(0, 1), "errors of the chat");
  assert.equal(chat.messages.length, 2, "one message answers the other");
  const { metadata, ...message } = plain(chat.lastMessage);
  assert.deepEqual(
    withoutDecisions(message),
    withoutDecisions(expected.at(-1)),
    "the message of the chat",
  );
}

// A page that is loaded after any record, and one that reads the run from its start up to there, show no call as undecided
// that was decided.
async function checkDecided(ai, one) {
  const { length } = one.decided;
  for (const [place, { loaded, frames, decided }] of one.decided.entries()) {
    const all = await chunks(ai, frames);
    const followed = await read(ai, all, undefined, failures(all));
    for (const [who, message] of Object.entries({ loaded: parsedAsSent(loaded), followed })) {
      for (const { toolCallId, state } of message.parts.filter((part) => decided.includes(part.toolCallId))) {
        assert.notEqual(
          state,
          "approval-requested",
          `a decided call is undecided for a page that has ${who} it: ${toolCallId}, ${place} of ${length}`,
        );
      }
    }
  }
}

// A page that is loaded gives its messages to the validator of the client.
async function checkStored(ai, one, counts) {
  for (const message of one.stored.map(parsedAsSent)) {
    for (const dataSchemas of [undefined, guide.dataSchemas]) {
      const { success, error } = await ai.safeValidateUIMessages({ messages: [message], dataSchemas });
      assert.ok(success, `a stored message is refused: ${error?.message} ${JSON.stringify(message.parts)}`);
    }
    message.parts.forEach(({ type }) => counts.states.add(`${one.version} ${type}`));
    for (const { state, approval } of message.parts.filter(({ toolCallId }) => toolCallId)) {
      counts.states.add(`${one.version} ${state}${approval ? ` ${approval.approved ?? "asked"}` : ""}`);
    }
  }
}

// Somebody denies in a page that follows the run, where another page has decided and this one has not heard of it.
async function checkLateDenial(ai, one) {
  const first = one.replay.findIndex((frame) => frame.includes('"tool-approval-request"'));
  if (first === -1) return;
  let pour;
  const rest = new ReadableStream({ start: (controller) => void (pour = controller) });
  const encoder = new TextEncoder();
  const fetch = async () => new Response(rest, { headers });
  const chat = newChat(ai, fetch, () => {});
  const reading = chat.resumeStream();
  for (const [place, frame] of one.replay.entries()) {
    pour.enqueue(encoder.encode(frame));
    if (place !== first) continue;
    const { approvalId } = JSON.parse(frame.slice("data: ".length));
    const shows = () => chat.lastMessage?.parts.some(({ approval }) => approval?.id === approvalId);
    while (!shows()) await new Promise(setImmediate);
    await chat.addToolApprovalResponse({ id: approvalId, approved: false });
  }
  pour.close();
  await reading;
  for (const { state, preliminary, approval } of chat.lastMessage.parts) {
    const ran = state === "output-available" && !preliminary;
    assert.ok(!ran || approval?.approved !== false, "a call that ran is not shown as denied");
  }
}

// The connection is cut in the middle of the first request, and the stream is read again from its start.
async function checkReconnect(ai, one, fails, counts) {
  const first = one.requests[0];
  const cut = one.name.length % first.length;
  const errors = [];
  let posts = 0;
  const fetch = async (url, { method }) => {
    // One that is sent again counts once.
    if (method === "POST" && posts++ > 0) return new Response(body(one.replay), { headers });
    if (method === "POST") {
      return new Response(body(first.slice(0, Math.max(cut, 1)), true), { headers });
    }
    assert.equal(url, "http://server/chat/chat/stream");
    return new Response(body(one.replay), { headers });
  };
  const chat = newChat(ai, fetch, (error) => errors.push(error.message));
  await chat.sendMessage({ text: "Hi." });
  if (chat.error instanceof TypeError) {
    await guide.resumeIfLost(chat, undefined, async () => {});
  } else {
    await chat.resumeStream();
  }
  counts.reconnects += 1;
  assert.ok(errors.includes("network error") || fails.length > 0, "it was cut");
  assert.equal(chat.messages.length, 2, "one message answers the other");
  assert.deepEqual(plain(chat.lastMessage), parsedAsSent(one.replayed), "the message after a reconnect");
}
