import assert from "node:assert/strict";
import { test } from "node:test";

import type { ChatMessage, Part } from "../../src/api/messages.ts";
import { spokenState, type ChatState } from "../../src/chat/spoken_state.ts";

const calm: ChatState = { isRunning: false, isLost: false, hasFailed: false, waiting: 0, finishReason: null };
const answer = (...parts: Part[]): ChatMessage => ({ id: "r", role: "assistant", parts });
const text: Part = { type: "text", text: "It is" };
const call = (state: string) => ({ type: "tool-ask", toolCallId: "1", state, input: {} }) as unknown as Part;

test("only what is complete is called complete", () => {
  const complete = "The answer is complete.";
  assert.equal(spokenState(answer(text), { ...calm, finishReason: "stop" }), complete);
  assert.equal(spokenState(answer(text), calm), complete);
  for (const state of [
    { isLost: true },
    { hasFailed: true },
    { isRunning: true },
    { finishReason: "cancelled" },
    { finishReason: "length" },
    { waiting: 1 },
  ]) {
    assert.notEqual(spokenState(answer(text), { ...calm, ...state }), complete, JSON.stringify(state));
  }
  const failure: Part = { type: "data-failure", data: { code: "limit", message: "Too long." } };
  assert.equal(spokenState(answer(text, failure), calm), "The answer has ended early. Too long.");
  assert.equal(spokenState(answer(call("input-available")), calm), "The run waits.");
  assert.equal(spokenState(answer(call("output-denied"), text), calm), complete);
});
