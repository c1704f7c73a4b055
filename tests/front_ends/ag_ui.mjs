// The client of AG-UI: its `HttpAgent`, which parses, verifies and applies the events.
import assert from "node:assert/strict";
import { HttpAgent } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";

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

export async function check(one, send) {
  let place = 0;
  const fetch = async (_, { body }) => {
    if (place > 0 && JSON.parse(body).resume?.length > 0) {
      bodies.push([place, body]);
    }
    return new Response(one.requests[place].join(""), { headers });
  };
  const bodies = [];
  const agent = new HttpAgent({
    url: "http://server/agent",
    threadId: "thread",
    fetch,
    initialMessages: [{ id: "u", role: "user", content: "Hi." }],
  });
  for (place = 0; place < one.requests.length; place += 1) {
    for (const frame of one.requests[place]) {
      const event = JSON.parse(frame.slice("data: ".length));
      const parsed = EventSchemas.safeParse(event);
      assert.ok(parsed.success, `an event is refused: ${frame} ${parsed.error}`);
    }
    const resume = agent.pendingInterrupts.map(({ id }) => ({
      interruptId: id,
      status: "resolved",
      payload: { approved: true },
    }));
    const errors = [];
    const failed = one.requests[place].some((frame) => frame.includes('"type":"RUN_ERROR"'));
    const run = agent.runAgent(
      { runId: `request-${place}`, ...(resume.length > 0 ? { resume } : {}) },
      { onRunErrorEvent: ({ event }) => void errors.push(event.message) },
    );
    await run.catch((error) => {
      assert.ok(failed, `the run is refused: ${error.message}`);
    });
    assert.equal(errors.length > 0, failed, "errors of the run");
  }
  bodies.forEach(([at, body]) => send(at, body));
  assert.deepEqual(seen(agent.messages), sorted(one.messages), "the messages");
}
