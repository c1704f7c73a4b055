import assert from "node:assert/strict";
import { test } from "node:test";

import type { Part } from "../../src/api/messages.ts";
import { shownOf } from "../../src/message/shown.ts";

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
