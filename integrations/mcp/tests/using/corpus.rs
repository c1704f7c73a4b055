//! Definitions of public servers, listed by a server, called, and shown to every codec.
//!
//! The corpus stands beside the repository, in `../shared`. Without it the test is reported as ignored.

#[allow(dead_code, reason = "the other tests use the rest")]
mod scripted;

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use libtest_mimic::{Arguments, Trial};
use serde_json::{Value, json};
use toolwright::{
    Message, Toolset,
    model::ModelRequest,
    provider::{
        AnthropicCodec, Codec, EncodeInput, GeminiCodec, OllamaCodec, OpenAiChatCodec,
        OpenAiResponsesCodec,
    },
    testing,
};

fn main() {
    let arguments = Arguments::from_args();
    let file = "../../../shared/corpora/mcp-schemas-dev.jsonl";
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file));
    let is_absent = text.is_err();
    let lines = text.unwrap_or_default();
    let records: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect();
    // The list of tests goes to the other stream.
    let _ = writeln!(io::stderr(), "mcp: {} records", records.len());
    let mut trials: Vec<_> = records
        .into_iter()
        .map(|record| {
            Trial::test(format!("mcp::{}", record["id"]), move || {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build();
                runtime.expect("tokio is there").block_on(check(record));
                Ok(())
            })
        })
        .collect();
    if trials.is_empty() {
        let empty = Trial::test("mcp::records", || Err("the corpus is empty".into()));
        trials.push(empty.with_ignored_flag(is_absent));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

async fn check(record: Value) {
    let (name, description) = (record["name"].clone(), record["description"].clone());
    let schema = record["input_schema"].clone();
    let listed = json!({"name": name, "description": description, "inputSchema": schema});
    let client = scripted::client(move |mut line, _| {
        let tools = [listed.clone()];
        async move {
            line.begin().await;
            while let Some(call) = line.call(&tools).await {
                let arguments = call["params"]["arguments"].to_string();
                line.answer(&call, scripted::text(&arguments)).await;
            }
        }
    });
    let listed = client.await.expect("it is reached").list().await;
    let listed = listed.expect("it lists");
    assert!(listed.refused.is_empty(), "{:?}", listed.refused);
    let tools = listed.tools;
    let shown = tools.names().next().expect("there is a tool").to_owned();
    let (mut called, instances) = (0, record["instances"].as_array());
    for instance in instances.expect("there are instances") {
        let output = testing::call(&tools, &shown, instance["value"].clone()).await;
        assert_eq!(
            output.is_ok(),
            instance["valid"] == true,
            "{instance}: {output:?}"
        );
        if let Ok(output) = output {
            let sent: Value = serde_json::from_str(&output.to_text()).expect("it is JSON");
            assert_eq!(sent, instance["value"]);
            called += 1;
        }
    }
    assert!(called > 0);
    encoded(&AnthropicCodec::default(), &tools);
    encoded(&GeminiCodec::default(), &tools);
    encoded(&OllamaCodec::default(), &tools);
    encoded(&OpenAiChatCodec::default(), &tools);
    encoded(&OpenAiResponsesCodec::default(), &tools);
}

fn encoded<C: Codec>(codec: &C, tools: &Toolset) {
    let definitions = tools.definitions().cloned();
    let request = ModelRequest::new([Message::user("Go on.")]).with_tools(definitions);
    let body = codec.encode(EncodeInput::new("a-model", &request));
    let body = body.expect("it can be asked for");
    let body = String::from_utf8(body).expect("it is text");
    for tool in tools.names() {
        assert!(body.contains(tool), "{}: {body}", C::PROVIDER);
    }
}
