import assert from "node:assert/strict";
import { test } from "node:test";

import type { CallPart, Part } from "../../src/api/messages.ts";
import { callState } from "../../src/message/call_state.ts";
import { questionOf, shownOf } from "../../src/message/shown.ts";

const text = (text: string): Part => ({ type: "text", text });

test("leaves out the parts of a step that is void", () => {
  const parts: Part[] = [
    { type: "step-start" },
    text("this broke off"),
    { type: "data-void", id: "void-0", data: { step: 0 } },
    { type: "step-start" },
    text("whole"),
  ];
  const { segments } = shownOf(parts);
  assert.deepEqual(segments.map((step) => (step.kind === "step" ? step.pieces : null)), [[text("whole")]]);
});

test("keeps what the user said between the steps", () => {
  const said = { parts: [{ type: "text" as const, text: "hurry" }] };
  const parts: Part[] = [
    { type: "step-start" },
    text("one"),
    { type: "data-user-message", id: "said-0", data: said },
    { type: "step-start" },
    text("two"),
  ];
  assert.deepEqual(shownOf(parts).segments.map((segment) => segment.kind), ["step", "said", "step"]);
});

test("parts at the beginning without a step are one", () => {
  assert.equal(shownOf([text("alone")]).segments.length, 1);
});

test("finds the question of a call by the id of its approval", () => {
  const question = { message: "Which?", form: {} };
  const asks = (id: string): Part => ({
    type: "tool-order",
    toolCallId: "1",
    state: "approval-requested",
    input: {},
    approval: { id },
  });
  const { questions, segments } = shownOf([{ type: "data-question", id: "1:approval", data: question }, asks("1:approval")]);
  const call = segments.flatMap((segment) => (segment.kind === "step" ? segment.calls : []))[0]!;
  assert.deepEqual(questionOf(call, questions), question);
  assert.equal(callState(call, false, true).word, "asks you");
  // The same call asks for an approval: an earlier question of it says nothing.
  assert.equal(questionOf(asks("1:approval-1") as CallPart, questions), null);
});

test("a call whose question was declined goes on", () => {
  const call = { type: "tool-order", toolCallId: "1", state: "approval-responded", input: {}, approval: { id: "1", approved: false } };
  assert.deepEqual(callState(call as CallPart, true, true), { word: "declined", tone: "busy", isOver: false });
  assert.equal(callState(call as CallPart, true, false).isOver, true);
});
