"""What it takes from an empty folder to the first tool that a program ran: lines, packages, time.

`python3 benches/peers/first_tool.py [name …]`. Each contestant is a package of its own with an empty target folder,
built once without optimisation. Downloads are not counted. No build keeps incremental state, which cargo keeps for
packages by path, as ours is here, and not for those of a registry. Our program is that of the README, and the others
are written after theirs, for the same job. An agent asks a server of this script, which plays OpenAI's; a server of
tools is asked over its own protocol. The versions are those of `Cargo.lock`.
"""

import http.server
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PACKAGE = '[package]\nname = "first"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n[dependencies]\n'
TOKIO = 'tokio = { version = "1", features = ["macros", "rt-multi-thread"] }\n'
SERDE = 'serde = { version = "1", features = ["derive"] }\n'
ANSWER = "Take a coat: light rain in Oslo"

RIG = '''
use rig::{prelude::*, providers::openai::OpenAI, rig_tool, tool::ToolExecutionError};

/// Get the current weather in a city.
#[rig_tool(params(city = "City and country, for example 'Oslo, Norway'."))]
async fn get_weather(city: String) -> Result<String, ToolExecutionError> {
    Ok(format!("light rain in {city}"))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let agent = AgentBuilder::new(OpenAI::from_env()?.chat("gpt-5.1-mini"))
        .tool(GetWeather)
        .default_max_turns(5)
        .build();
    println!("{}", agent.prompt("Do I need a coat in Oslo?").await?.output());
    Ok(())
}
'''

RMCP = '''
use rmcp::{ServiceExt, handler::server::wrapper::Parameters, schemars, tool, tool_router, transport::stdio};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct City {
    /// City and country, for example "Oslo, Norway".
    city: String,
}

#[derive(Clone)]
struct Weather;

#[tool_router(server_handler)]
impl Weather {
    /// Get the current weather in a city.
    #[tool]
    async fn get_weather(&self, Parameters(City { city }): Parameters<City>) -> String {
        format!("light rain in {city}")
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Weather.serve(stdio()).await?.waiting().await?;
    Ok(())
}
'''


def of_readme():
    """The first program of the README."""
    return re.search(r"```rust,no_run\n(.*?)```", (ROOT / "README.md").read_text(), re.S).group(1)


class OpenAI(http.server.BaseHTTPRequestHandler):
    """Calls the tool, and answers with its result."""

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        last = request["messages"][-1]
        if last["role"] == "tool":
            content = last["content"]
            text = content if isinstance(content, str) else content[0]["text"]
            message, reason = {"content": "Take a coat: " + text.strip('"')}, "stop"
        else:
            function = {"name": "get_weather", "arguments": '{"city": "Oslo"}'}
            call = {"index": 0, "id": "call_1", "type": "function", "function": function}
            message, reason = {"content": None, "tool_calls": [call]}, "tool_calls"
        message["role"] = "assistant"
        kind = "delta" if request.get("stream") else "message"
        choice = {"index": 0, kind: message, "finish_reason": reason}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        body = {"id": "1", "object": "chat.completion", "created": 1, "model": request["model"], "choices": [choice], "usage": usage}
        text = json.dumps(body)
        if request.get("stream"):
            text = f"data: {text}\n\ndata: [DONE]\n\n"
        self.send_response(200)
        self.send_header("content-type", "text/event-stream" if request.get("stream") else "application/json")
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


def ask_agent(program):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), OpenAI)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}/v1"
    environment = os.environ | {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": address, "NO_PROXY": "127.0.0.1"}
    output = subprocess.run([program], env=environment, check=True, capture_output=True, text=True, timeout=60).stdout
    server.shutdown()
    assert ANSWER in output, output


def ask_tools(program):
    """Calls the tool as a client of MCP does."""
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "first", "version": "0"}}
    call = {"name": "get_weather", "arguments": {"city": "Oslo"}}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        for message in messages:
            server.stdin.write(json.dumps(message) + "\n")
            server.stdin.flush()
            if "id" in message:
                answer = server.stdout.readline()
        server.stdin.close()
    assert "light rain in Oslo" in answer, answer


CONTESTANTS = {
    "toolwright": (f'toolwright = {{ path = "{ROOT}", features = ["http"] }}\n' + TOKIO + SERDE, of_readme, ask_agent),
    "rig": ('rig = "=0.44.0"\nschemars = "1"\n' + TOKIO + SERDE, lambda: RIG, ask_agent),
    "rmcp": ('rmcp = { version = "=3.11.0", features = ["schemars", "transport-io"] }\n' + TOKIO + SERDE, lambda: RMCP, ask_tools),
}


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(name):
    dependencies, program, ask = CONTESTANTS[name]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "src").mkdir()
        (folder / "src/main.rs").write_text(program())
        (folder / "Cargo.toml").write_text(PACKAGE + dependencies)
        shutil.copy(HERE / "Cargo.lock", folder)
        environment = os.environ | {"CARGO_TARGET_DIR": str(folder / "target"), "CARGO_INCREMENTAL": "0"}
        subprocess.run(["cargo", "fetch", "--quiet"], cwd=folder, check=True)
        tree = ["cargo", "tree", "--offline", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"]
        tree = subprocess.run(tree, cwd=folder, check=True, capture_output=True, text=True).stdout.splitlines()
        packages = {line.removesuffix(" (*)") for line in tree} - {tree[0]}
        start, before = time.monotonic(), cpu()
        subprocess.run(["cargo", "build", "--quiet", "--offline"], cwd=folder, env=environment, check=True)
        wall, used = time.monotonic() - start, cpu() - before
        ask(folder / "target/debug/first")
        lines = [line for line in program().splitlines() if line.strip()]
        print(f"| {name} | {len(lines)} | {len(dependencies.splitlines())} | {len(packages)} | {wall:.0f} | {used:.0f} |", flush=True)


print("| | lines of the program | dependencies | packages | seconds | CPU seconds |")
print("| --- | --: | --: | --: | --: | --: |")
for name in sys.argv[1:] or CONTESTANTS:
    measure(name)
