// A call by hand as a command and as a test.

import type { PastCall } from "./history.ts";

/** A command for a shell. The token is not part of it: it is read from `TOKEN`. */
export function asCurl(address: string, call: PastCall, isSignedIn: boolean): string {
  const approved = call.approved ? { approved: true } : {};
  const body = JSON.stringify({ argumentsText: call.argumentsText, ...approved });
  return [
    `curl --no-buffer ${quoted(address)}`,
    `--header 'content-type: application/json'`,
    ...(isSignedIn ? ['--header "authorization: Bearer $TOKEN"'] : []),
    `--data-raw ${quoted(body)}`,
  ].join(" \\\n  ");
}

/** A test that calls the tool again, and expects what the model has read of it. */
export function asRustTest(tool: string, call: PastCall): string {
  return `#[tokio::test]
async fn ${identifier(tool)}_answers() {
    use toolwright::{Dispatch, ToolCall, toolset};

    let call = ToolCall::new("1", ${rustString(tool)}, ${rustString(call.argumentsText)});
    let results = toolset![${identifier(tool)}].dispatch(&[call]).await;
    assert_eq!(results[0].is_error(), ${String(!call.ok)});
    assert_eq!(results[0].to_model_text(), ${rustString(call.forModel)});
}
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function identifier(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_]/g, "_");
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
}

/** A raw string with as many `#` as its text needs. A raw string has no carriage return. */
function rustString(text: string): string {
  if (text.includes("\r")) return JSON.stringify(text).replace(/\\u([0-9a-f]{4})/g, "\\u{$1}");
  if (!/["\\]/.test(text)) return `"${text}"`;
  const runs = text.match(/"#*/g) ?? [];
  const hashes = "#".repeat(Math.max(0, ...runs.map((run) => run.length)));
  return `r${hashes}"${text}"${hashes}`;
}
