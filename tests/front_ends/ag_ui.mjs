// The clients of AG-UI 1.0 and of 0.0.59, which CopilotKit has: their `HttpAgent`, which parses, verifies and applies the
// events.
import assert from "node:assert/strict";
import * as client1 from "@ag-ui/client";
import * as schemas1 from "@ag-ui/core/schemas";
import * as client0 from "ag-ui-client-0";
import * as schemas0 from "ag-ui-core-0";

const clients = {
  "0.0.59": { ...client0, ...schemas0 },
  "1.0": { ...client1, ...schemas1 },
};
const headers = { "content-type": "text/event-stream" };

function seen(messages) {
  // The question is known.
  const question = messages.find(({ role }) => role === "user");
  const told = messages.flatMap((message) => {
    if (message === question) {
      return [];
    }
    const { role, content } = message;
    switch (role) {
      case "assistant": {
        const calls = (message.toolCalls ?? []).map(({ id, function: { name, arguments: text } }) => ({
          id,
          name,
          arguments: text,
        }));
        return [{ role, content: content ?? "", calls }];
      }
      case "tool":
        return [{ role, toolCallId: message.toolCallId, content }];
      case "user":
        return [{ role, content }];
      default:
        return [];
    }
  });
  return sorted(told);
}

// Calls that run at once end in any order.
function sorted(messages) {
  const of = (role) => messages.filter((message) => message.role === role);
  const tools = of("tool").sort((a, b) => (a.toolCallId < b.toolCallId ? -1 : 1));
  return [...of("assistant"), ...of("user"), ...tools];
}

// A stream without a version is for every client, one of version 1 for clients that have sent `protocolVersion`.
const readers = { 0: ["0.0.59", "1.0"], 1: ["1.0"] };

export async function check(one, send, counts) {
  for (const name of readers[one.version]) {
    try {
      await checkRequests(clients[name], one, send);
      await checkReload(clients[name], one, counts);
    } catch (error) {
      throw new Error(`client ${name}: ${error.message}`);
    }
    counts.agUi[name] = (counts.agUi[name] ?? 0) + 1;
  }
}

function newAgent({ HttpAgent }, fetch) {
  return new HttpAgent({
    url: "http://server/agent",
    threadId: "thread",
    fetch,
    initialMessages: [{ id: "u", role: "user", content: "Hi." }],
  });
}

function checkFrames({ EventSchemas }, frames) {
  for (const frame of frames) {
    const parsed = EventSchemas.safeParse(JSON.parse(frame.slice("data: ".length)));
    assert.ok(parsed.success, `an event is refused: ${frame} ${parsed.error}`);
  }
}

const fails = (frames) => frames.some((frame) => frame.includes('"type":"RUN_ERROR"'));

async function run(agent, frames, input) {
  const errors = [];
  const failed = fails(frames);
  const result = agent.runAgent(input, { onRunErrorEvent: ({ event }) => void errors.push(event.message) });
  await result.catch((error) => {
    assert.ok(failed, `the run is refused: ${error.message}`);
  });
  assert.equal(errors.length > 0, failed, "errors of the run");
}

// What a person answers, where an interrupt is a question.
function answerOf(question) {
  if (!question) return {};
  return { answer: question.form ? { size: "M" } : {} };
}

async function checkRequests(client, one, send) {
  let place = 0;
  const bodies = [];
  const agent = newAgent(client, async (_, { body }) => {
    const { resume, protocolVersion } = JSON.parse(body);
    assert.equal(protocolVersion, client === clients["1.0"] ? "1.0" : undefined, "the version of the client");
    if (place > 0 && resume?.length > 0) {
      bodies.push([place, body]);
    }
    return new Response(one.requests[place].join(""), { headers });
  });
  for (place = 0; place < one.requests.length; place += 1) {
    checkFrames(client, one.requests[place]);
    const resume = agent.pendingInterrupts.map(({ id, metadata }) => ({
      interruptId: id,
      status: "resolved",
      payload: { approved: true, ...answerOf(metadata?.question) },
    }));
    await run(agent, one.requests[place], {
      runId: `request-${place}`,
      ...(resume.length > 0 ? { resume } : {}),
    });
  }
  bodies.forEach(([at, body]) => send(at, body));
  assert.deepEqual(seen(agent.messages), sorted(one.messages), "the messages");
}

// A page is loaded, or its connection was cut in the middle of the first request. It reads the run again from its start.
async function checkReload(client, one, counts) {
  checkFrames(client, one.reload);
  const cut = one.requests[0].slice(0, Math.max(one.name.length % one.requests[0].length, 1));
  for (const before of [[], cut]) {
    let frames = before;
    const agent = newAgent(client, async () => new Response(frames.join(""), { headers }));
    if (before.length > 0) {
      await agent.runAgent({ runId: "request-0" }).catch(() => {});
    }
    frames = one.reload;
    await run(agent, frames, { runId: "reload" });
    assert.deepEqual(seen(agent.messages), sorted(one.messages), "the messages after a reload");
    counts.reconnects += 1;
  }
}
