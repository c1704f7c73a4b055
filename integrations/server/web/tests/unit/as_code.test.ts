import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { asCurl, asRustTest } from "../../src/tools/as_code.ts";

const call = { argumentsText: `{"a": "it's \\"#\\" $HOME"}`, approved: true, atMs: 0, ok: true, forModel: "fine" };

test("a shell gives curl what was sent", () => {
  const command = asCurl("http://127.0.0.1:1/tools/a/call", call, true).replace("curl", "printf '%s\\n'");
  const said = execFileSync("sh", ["-c", command], { env: { TOKEN: "t" }, encoding: "utf8" }).trim().split("\n");
  assert.deepEqual(said.slice(-1).map((body) => JSON.parse(body)), [{ argumentsText: call.argumentsText, approved: true }]);
  assert.ok(said.includes("authorization: Bearer t"));
});

test("a raw string of Rust has as many signs as its text needs", () => {
  const code = asRustTest("get-it", call);
  assert.ok(code.includes(`r##"${call.argumentsText}"##`), code);
  assert.ok(code.includes("async fn get_it_answers()"));
  assert.ok(code.includes('assert_eq!(results[0].to_model_text(), "fine");'));
});
