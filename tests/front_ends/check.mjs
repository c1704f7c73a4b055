// Gives the frames in cases.ndjson to the clients, and compares what they have with what they are to have.
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import * as chat from "./chat.mjs";
import * as agUi from "./ag_ui.mjs";
import * as guide from "./guide.mjs";

const kinds = { chat, "ag-ui": agUi };
const bodies = createWriteStream("bodies.ndjson");
const counts = { runs: 0, requests: 0, frames: 0, reconnects: 0, agUi: {}, states: new Set() };
const wrong = [];
await guide.check().catch((error) => wrong.push(`the code of the guide: ${error.message}`));
for await (const line of createInterface({ input: createReadStream("cases.ndjson") })) {
  const one = JSON.parse(line);
  counts.runs += 1;
  counts.requests += one.requests.length;
  counts.frames += one.requests.flat().length;
  const send = (place, body) =>
    bodies.write(`${JSON.stringify({ kind: one.kind, name: one.name, place, body })}\n`);
  try {
    await kinds[one.kind].check(one, send, counts);
  } catch (error) {
    wrong.push(`${one.name} (${one.kind} ${one.version ?? ""}): ${error.message}`);
  }
}
bodies.end();
// Every state that a call of a stored message can have.
const states = [
  "input-available",
  "approval-requested asked",
  "approval-responded true",
  "approval-responded false",
  "output-available",
  "output-available true",
  "output-error",
  "output-error true",
  "output-denied false",
];
// What else a stored message can have.
const parts = [
  "text",
  "reasoning",
  "file",
  "source-url",
  "source-document",
  "data-question",
  "data-transfer",
  "data-usage",
  "data-warning",
  "data-limit-reached",
  "data-failure",
];
states.push(...parts);
for (const state of ["6", "7"].flatMap((version) => states.map((state) => `${version} ${state}`))) {
  if (!counts.states.has(state)) {
    wrong.push(`no stored message has ${state}`);
  }
}
console.log(
  `${counts.runs} runs of clients, ${counts.requests} requests, ${counts.frames} frames, ` +
    `${counts.reconnects} reconnects, AG-UI ${JSON.stringify(counts.agUi)}; ${wrong.length} are wrong`,
);
if (wrong.length > 0) {
  console.error(wrong.slice(0, 5).join("\n\n"));
  process.exitCode = 1;
}
