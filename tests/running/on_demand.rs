//! Tools whose definitions are looked up.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::{Value, json};
use toolwright::{
    Anthropic, ChatModel, Conversation, ErrorCategory, ModelResponse, OpenAiResponses, Runner,
    Tool, ToolCall, ToolDefinition, ToolError, Toolset,
    approval::{ApprovalRequest, Decision},
    dispatch::CallOptions,
    dynamic::DynamicTool,
    model::{Fallback, ModelCapabilities, ModelRequest, ModelStream, ToolChoice},
    provider::{
        AnthropicCodec, Codec, EncodeInput, GeminiCodec, OllamaCodec, OpenAiChatCodec,
        OpenAiResponsesCodec,
    },
    run::{Finish, RequestPlan, RunOutcome, StoredRun},
    runner::{BuildError, NextRequest, RunnerBuilder},
    testing::{PromptLock, ScriptedModel},
    tool,
    tool::{BoxFuture, Call, ToolDefinitions, ToolPolicy},
    toolset,
    toolset::{ToolRegistry, ToolSearch},
};
use toolwright_recording::Recording;

const SEARCH: &str = "search_tools";

/// Send a mail to somebody.
#[tool]
fn send_mail(to: String, text: String) -> String {
    format!("sent to {to}: {text}")
}

/// Get the weather of a city.
#[tool(read_only, deferred)]
fn get_weather(city: String) -> String {
    format!("rain in {city}")
}

/// Get the time of a city.
#[derive(serde::Deserialize, Tool)]
#[tool(deferred, read_only)]
struct GetTime {
    city: String,
}

impl toolwright::Execute for GetTime {
    type Output = String;

    async fn execute(self, _: &toolwright::ToolContext) -> Result<String, ToolError> {
        Ok(format!("noon in {}", self.city))
    }
}

struct Bank;

#[toolwright::tools]
impl Bank {
    /// Get the balance of an account.
    #[tool(deferred)]
    fn get_balance(account: String) -> String {
        format!("{account} is empty")
    }

    /// List the accounts.
    #[tool(deferred = false)]
    fn list_accounts() -> Vec<String> {
        Vec::new()
    }
}

fn tools() -> Toolset {
    let tools = toolset![send_mail, get_weather, GetTime];
    tools.merge(Bank.into_tools()).expect("the names differ")
}

fn call(name: &str, arguments: &Value) -> ModelResponse {
    ModelResponse::from_calls([ToolCall::new("a", name, arguments.to_string())])
}

fn search(query: &str) -> ModelResponse {
    call(SEARCH, &json!({"query": query}))
}

fn done() -> ModelResponse {
    ModelResponse::from_text("done")
}

fn builder(script: impl IntoIterator<Item = ModelResponse>) -> (RunnerBuilder, ScriptedModel) {
    let model = ScriptedModel::new(script);
    (Runner::builder(model.clone()).tools(tools()), model)
}

async fn run(builder: RunnerBuilder) -> RunOutcome {
    let runner = builder.build().expect("is consistent");
    runner.run("Go.").await.expect("answers")
}

fn names(request: &ModelRequest) -> Vec<&str> {
    request.tools.iter().map(|tool| &*tool.name).collect()
}

/// The text of each result of a run, in order.
fn results(outcome: &RunOutcome) -> Vec<String> {
    let rounds = outcome.tool_rounds();
    let results = rounds.flat_map(|round| &round.results);
    results
        .map(|result| result.to_model_text().into_owned())
        .collect()
}

const FIRST: [&str; 3] = ["send_mail", "list_accounts", SEARCH];

#[test]
fn every_form_of_a_tool_may_be_deferred() {
    let deferred = |tools: &Toolset| -> Vec<_> {
        let all = tools.definitions().filter(|tool| tool.deferred);
        all.map(|tool| tool.name.to_string()).collect()
    };
    assert_eq!(
        deferred(&tools()),
        ["get_weather", "get_time", "get_balance"]
    );
    let all = tools().deferred(|tool| tool.name == "send_mail");
    assert_eq!(deferred(&all).len(), 4);
    // A prompt lock shows it, and the model is told the same.
    let lock = PromptLock::new(tools().definitions());
    assert_eq!(lock.as_str().matches("! deferred\n").count(), 3);
}

#[tokio::test]
async fn a_tool_is_offered_once_it_was_found() {
    let script = [
        search("What is the weather?"),
        call("get_weather", &json!({"city": "Oslo"})),
        search("balance of an account"),
        done(),
    ];
    let (builder, model) = builder(script);
    let outcome = run(builder).await;
    let requests = model.requests();
    let with = |more: &[&'static str]| [&FIRST[..], more].concat();
    assert_eq!(names(&requests[0]), FIRST);
    assert_eq!(names(&requests[1]), with(&["get_weather"]));
    assert_eq!(names(&requests[2]), with(&["get_weather"]));
    assert_eq!(names(&requests[3]), with(&["get_weather", "get_balance"]));
    // What is offered is no more than any other tool.
    assert!(requests[3].tools.iter().all(|tool| !tool.deferred));
    assert_eq!(
        requests[1].tools[3].input_schema,
        tools()
            .find("get_weather")
            .expect("is there")
            .definition()
            .input_schema
    );
    let results = results(&outcome);
    let found: Value = serde_json::from_str(&results[0]).expect("is JSON");
    assert_eq!(
        found["tools"][0],
        json!({"name": "get_weather", "description": "Get the weather of a city."})
    );
    assert_eq!(results[1], "rain in Oslo");
}

#[tokio::test]
async fn a_search_names_as_many_as_it_is_asked_for() {
    let script = [
        call(SEARCH, &json!({"query": "city", "limit": 1})),
        call(SEARCH, &json!({"query": "volcanoes"})),
        call(SEARCH, &json!({"question": "city"})),
        done(),
    ];
    let (builder, model) = builder(script);
    let outcome = run(builder).await;
    let results = results(&outcome);
    assert!(
        results[0].contains("get_weather") && !results[0].contains("get_time"),
        "{results:?}"
    );
    assert!(results[1].contains(r#""tools":[]"#), "{results:?}");
    assert!(results[2].contains("query"), "{results:?}");
    assert_eq!(names(&model.requests()[3]).len(), FIRST.len() + 1);
}

#[tokio::test]
async fn a_tool_that_was_not_read_does_not_run_and_is_loaded() {
    let ran = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&ran);
    let pay = DynamicTool::builder("pay", "Pay an invoice.")
        .policy(ToolPolicy::default().with_approval())
        .build(move |_: ToolCall, _| {
            count.fetch_add(1, Ordering::SeqCst);
            std::future::ready(Ok::<_, ToolError>("paid"))
        });
    let tools = tools()
        .with(pay.expect("is sound"))
        .expect("the names differ");
    let script = [call("pay", &json!({})), call("pay", &json!({})), done()];
    let model = ScriptedModel::new(script);
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let calls = CallOptions::new().with_approver(move |_: ApprovalRequest| {
        count.fetch_add(1, Ordering::SeqCst);
        std::future::ready(Decision::Approve)
    });
    let builder = Runner::builder(model.clone())
        .tools(tools.deferred(|tool| tool.name == "pay"))
        .calls(calls);
    let outcome = run(builder).await;
    let results = results(&outcome);
    assert!(
        results[0].contains("not executed") && results[0].contains("`pay`"),
        "{results:?}"
    );
    assert_eq!(results[1], "paid");
    assert_eq!(
        (ran.load(Ordering::SeqCst), asked.load(Ordering::SeqCst)),
        (1, 1)
    );
    assert_eq!(names(&model.requests()[1]).last(), Some(&"pay"));
}

#[tokio::test]
async fn the_next_run_of_a_conversation_begins_with_the_same_tools() {
    let (builder, _) = builder([search("weather"), done()]);
    let mut conversation = Conversation::new();
    let runner = builder.build().expect("is consistent");
    runner
        .request("Go.")
        .within(&mut conversation)
        .run()
        .await
        .expect("answers");

    let stored = serde_json::to_string(&conversation).expect("serialises");
    let conversation: Conversation = serde_json::from_str(&stored).expect("is the same");
    let (builder, model) = self::builder([search("time"), done()]);
    let runner = builder.build().expect("is consistent");
    let run = runner
        .request("Go on.")
        .within(conversation)
        .start()
        .outcome()
        .await;
    run.expect("answers");
    let requests = model.requests();
    assert_eq!(names(&requests[0])[3..], ["get_weather"]);
    assert_eq!(names(&requests[1])[3..], ["get_weather", "get_time"]);
}

#[tokio::test]
async fn a_run_that_is_resumed_offers_what_it_had_loaded() {
    let pay = DynamicTool::builder("pay", "Pay an invoice.")
        .policy(ToolPolicy::default().with_approval())
        .build(async |_: ToolCall, _| Ok::<_, ToolError>("paid"));
    let tools = tools()
        .with(pay.expect("is sound"))
        .expect("the names differ");
    let tools = tools.deferred(|tool| tool.name == "pay");
    let model = ScriptedModel::new([search("pay an invoice"), call("pay", &json!({}))]);
    let runner = Runner::builder(model).tools(tools.clone()).suspends();
    let outcome = run(runner).await;
    let stored = outcome.suspended.expect("waits");
    let stored = serde_json::to_string(&stored).expect("serialises");

    let stored: StoredRun = serde_json::from_str(&stored).expect("is the same");
    let model = ScriptedModel::new([done()]);
    let runner = Runner::builder(model.clone()).tools(tools).suspends();
    let runner = runner.build().expect("is consistent");
    let approved = stored.pending()[0].approve();
    let run = runner
        .resume(stored)
        .decide([approved])
        .start()
        .await
        .expect("goes on");
    let outcome = run.outcome().await.expect("answers");
    assert_eq!(results(&outcome)[1], "paid");
    assert_eq!(names(&model.requests()[0])[3..], ["pay"]);
}

#[tokio::test]
async fn a_plan_filters_deferred_tools_as_all_others() {
    let script = [
        search("city"),
        search("city"),
        call("get_time", &json!({})),
        done(),
    ];
    let (builder, model) = builder(script);
    let builder = builder.before_request(async |next: NextRequest| match next.rounds {
        0 => RequestPlan::new().with_tools(["send_mail", "get_weather"]),
        1 => RequestPlan::new(),
        2 => RequestPlan::new().with_tools(["get_weather", "get_balance"]),
        _ => RequestPlan::new().with_tools(["send_mail"]),
    });
    let outcome = run(builder).await;
    let requests = model.requests();
    assert_eq!(names(&requests[0]), ["send_mail", SEARCH]);
    assert_eq!(names(&requests[1])[3..], ["get_weather"]);
    assert_eq!(names(&requests[2]), [SEARCH, "get_weather"]);
    assert_eq!(names(&requests[3]), ["send_mail"]);
    let results = results(&outcome);
    assert!(!results[0].contains("get_time") && results[1].contains("get_time"));
    assert!(
        results[2].contains("no tool called `get_time`"),
        "{results:?}"
    );
}

#[tokio::test]
async fn a_tool_that_has_to_be_called_is_offered() {
    let script = [call("get_time", &json!({"city": "Oslo"})), done()];
    let (builder, model) = builder(script);
    let choice = ToolChoice::Tool("get_time".to_owned());
    let outcome = run(builder.tool_choice(choice)).await;
    assert_eq!(results(&outcome), ["noon in Oslo"]);
    for request in model.requests() {
        assert_eq!(names(&request)[3..], ["get_time"]);
    }
    let (builder, _) = self::builder([search("time"), done()]);
    let outcome = run(builder.tool_choice(ToolChoice::Tool(SEARCH.to_owned()))).await;
    assert_eq!(outcome.finish, Finish::Answered);
}

#[tokio::test]
async fn the_name_of_the_search_is_taken() {
    let other = || {
        let other = DynamicTool::builder(SEARCH, "Search for hammers and saws.");
        other.build(async |_: ToolCall, _| Ok::<_, ToolError>("a saw"))
    };
    let with_other = |tools: Toolset| {
        tools
            .with(other().expect("is sound"))
            .expect("the names differ")
    };
    let build = |tools| {
        Runner::builder(ScriptedModel::default())
            .tools(tools)
            .build()
    };
    assert_eq!(
        build(with_other(tools())).err(),
        Some(BuildError::SearchToolsTaken)
    );
    // Where nothing is deferred it is a name as any other.
    assert!(build(with_other(toolset![send_mail])).is_ok());

    let registry = ToolRegistry::from(with_other(tools()));
    let runner = Runner::builder(ScriptedModel::new([done()])).registry(registry);
    let error = runner.build().expect("is consistent").run("Go.").await;
    let error = error.expect_err("cannot be offered").to_string();
    assert!(error.contains("search_tools"), "{error}");
}

#[tokio::test]
async fn tools_of_a_registry_come_and_go() {
    let registry = ToolRegistry::from(tools());
    let script = [search("weather"), search("weather"), done()];
    let model = ScriptedModel::new(script);
    let changed = registry.clone();
    let runner = Runner::builder(model.clone())
        .registry(registry)
        .before_request(move |next: NextRequest| {
            if next.rounds == 1 {
                changed.remove("get_weather");
            }
            std::future::ready(RequestPlan::new())
        });
    let outcome = run(runner).await;
    let requests = model.requests();
    assert_eq!(names(&requests[1]), FIRST);
    assert!(!results(&outcome)[1].contains("get_weather"));
}

/// A model whose provider searches for tools.
#[derive(Clone)]
struct Searching(ScriptedModel);

impl ChatModel for Searching {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        self.0.stream(request)
    }

    fn capabilities(&self) -> ModelCapabilities {
        ModelCapabilities::new().with_tool_search(true)
    }
}

#[tokio::test]
async fn a_provider_that_searches_is_sent_all_definitions() {
    let script = || [call("get_time", &json!({"city": "Oslo"})), done()];
    let model = Searching(ScriptedModel::new(script()));
    let runner = || Runner::builder(model.clone()).tools(tools());
    let outcome = run(runner()).await;
    assert_eq!(results(&outcome), ["noon in Oslo"]);
    let request = &model.0.requests()[0];
    assert_eq!(request.tools.len(), 5);
    assert_eq!(request.tools.iter().filter(|tool| tool.deferred).count(), 3);

    // One that has to be called is read in any case.
    let model = Searching(ScriptedModel::new(script()));
    let choice = ToolChoice::Tool("get_time".to_owned());
    run(Runner::builder(model.clone())
        .tools(tools())
        .tool_choice(choice))
    .await;
    let request = &model.0.requests()[0];
    assert_eq!(request.tools.iter().filter(|tool| tool.deferred).count(), 2);

    // Of several models, each has to have a search.
    for (second, has_search) in [(true, true), (false, false)] {
        let scripted = ScriptedModel::new([done()]);
        let first = Searching(scripted.clone());
        let fallback = if second {
            Fallback::new([first]).or(Searching(ScriptedModel::default()))
        } else {
            Fallback::new([first]).or(ScriptedModel::default())
        };
        run(Runner::builder(fallback).tools(tools())).await;
        let request = &scripted.requests()[0];
        assert_eq!(names(request).contains(&SEARCH), !has_search);
    }
}

#[test]
fn tools_that_are_emulated_are_not_left_to_a_provider() {
    use toolwright::emulation::{Emulated, ToolEmulation};
    for (mode, searches) in [
        (ToolEmulation::Off, true),
        (ToolEmulation::Fallback, false),
        (ToolEmulation::Force, false),
    ] {
        let model = Emulated::new(Searching(ScriptedModel::default()), mode);
        assert_eq!(model.capabilities().tool_search, searches, "{mode:?}");
    }
}

#[tokio::test]
async fn a_recording_is_replayed_with_the_search_that_it_had() {
    let folder = std::env::temp_dir().join(format!("toolwright-on-demand-{}", std::process::id()));
    for searches in [true, false] {
        let path = folder.join(format!("{searches}.jsonl"));
        let script = if searches {
            vec![call("get_time", &json!({"city": "Oslo"})), done()]
        } else {
            vec![
                search("time"),
                call("get_time", &json!({"city": "Oslo"})),
                done(),
            ]
        };
        let scripted = ScriptedModel::new(script);
        let recording = if searches {
            Recording::record(&path, Searching(scripted))
        } else {
            Recording::record(&path, scripted)
        };
        let recording = recording.expect("is written");
        run(Runner::builder(recording.clone()).tools(tools())).await;
        recording.finish().expect("is whole");
        let replay = Recording::replay(&path).expect("is a recording");
        let outcome = run(Runner::builder(replay.clone()).tools(tools())).await;
        assert_eq!(outcome.finish, Finish::Answered);
        replay.finish().expect("was replayed to its end");
    }
    std::fs::remove_dir_all(folder).expect("was written");
}

#[test]
fn models_of_the_provider_itself_search() {
    let searches = |model: &dyn ChatModel| model.capabilities().tool_search;
    for (name, expected) in [
        ("claude-sonnet-4-5-20250929", true),
        ("claude-haiku-4-5", true),
        ("claude-opus-5", true),
        ("claude-opus-4-1-20250805", false),
        ("claude-sonnet-4-20250514", false),
        ("claude-3-5-haiku-20241022", false),
        ("claude", false),
        ("kimi-k2", false),
    ] {
        assert_eq!(searches(&Anthropic::new(name, "key")), expected, "{name}");
    }
    for (name, expected) in [
        ("gpt-5.4", true),
        ("gpt-5.4-mini-2026-03-17", true),
        ("gpt-5.10", true),
        ("gpt-6", true),
        ("gpt-5", false),
        ("gpt-5.3-codex", false),
        ("gpt-4o", false),
        ("o3", false),
    ] {
        assert_eq!(
            searches(&OpenAiResponses::new(name, "key")),
            expected,
            "{name}"
        );
    }
    let elsewhere = Anthropic::new("claude-opus-4-5", "key").with_base_url("https://example.com");
    assert!(!searches(&elsewhere));
    let by_hand = elsewhere.with_capabilities(ModelCapabilities::new().with_tool_search(true));
    assert!(searches(&by_hand));
    let ours = Anthropic::new("claude-opus-4-5", "key").with_capabilities(ModelCapabilities::new());
    assert!(!searches(&ours));
}

#[test]
fn each_codec_sends_what_its_provider_knows() {
    let list = |json: tool::JsonText| json.to_value();
    let sent = list(AnthropicCodec::new().tools(&tools()));
    assert_eq!(sent[1]["name"], "get_weather");
    assert_eq!(sent[1]["defer_loading"], true);
    assert_eq!(sent[0].get("defer_loading"), None);
    let search = json!({"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"});
    assert_eq!(sent[5], search);

    let sent = list(OpenAiResponsesCodec::new().tools(&tools()));
    assert_eq!(sent[1]["defer_loading"], true);
    assert_eq!(sent[0].get("defer_loading"), None);
    assert_eq!(sent[5], json!({"type": "tool_search"}));

    // A set without deferred tools is sent as before, and other providers know none.
    let none = list(AnthropicCodec::new().tools(&toolset![send_mail]));
    assert_eq!(none.as_array().map(Vec::len), Some(1));
    for sent in [
        list(OpenAiChatCodec::new().tools(&tools())),
        list(GeminiCodec::new().tools(&tools())),
        list(OllamaCodec::new().tools(&tools())),
    ] {
        let text = sent.to_string();
        assert!(
            !text.contains("defer") && text.contains("get_weather"),
            "{text}"
        );
    }
}

#[test]
fn a_mark_for_the_cache_is_at_no_deferred_tool() {
    use toolwright::model::{ModelSettings, PromptCaching};
    let settings = ModelSettings::new().with_prompt_caching(PromptCaching::FiveMinutes);
    let request = ModelRequest::new([toolwright::Message::user("Go.")])
        .with_tools(tools().definitions().cloned())
        .with_settings(settings);
    let body = AnthropicCodec::new()
        .encode(EncodeInput::new("claude-opus-4-5", &request))
        .expect("can be sent");
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    let tools = body["tools"].as_array().expect("there are tools");
    let marked: Vec<_> = tools
        .iter()
        .filter(|tool| tool.get("cache_control").is_some())
        .collect();
    assert_eq!(marked.len(), 1);
    assert_eq!(marked[0]["name"], "tool_search_tool_bm25");
}

/// What the provider found goes back to it, as it came.
#[test]
fn the_findings_of_a_provider_go_back() {
    let use_ = json!({"type": "server_tool_use", "id": "srvtoolu_1", "name": "tool_search_tool_bm25",
        "input": {"query": "weather"}});
    let found = json!({"type": "tool_search_tool_result", "tool_use_id": "srvtoolu_1", "content": {
        "type": "tool_search_tool_search_result",
        "tool_references": [{"type": "tool_reference", "tool_name": "get_weather"}]}});
    let call = json!({"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {"city": "Oslo"}});
    let reply = json!({"type": "message", "role": "assistant", "content": [use_, found, call],
        "stop_reason": "tool_use", "usage": {"input_tokens": 1, "output_tokens": 1}});
    let reply = AnthropicCodec::new()
        .decode(&ToolDefinitions::default(), reply.to_string().as_bytes())
        .expect("is a response");
    assert_eq!(reply.tool_calls.len(), 1);
    let mut conversation = Conversation::new();
    conversation.push_user("Weather?");
    conversation.push_response(reply);
    let results = [toolwright::ToolResult::success("toolu_1", "rain")];
    conversation.push_results(results).expect("is the result");
    let request = conversation
        .request()
        .with_tools(tools().definitions().cloned());
    let body = AnthropicCodec::new()
        .encode(EncodeInput::new("claude-opus-4-5", &request))
        .expect("can be sent");
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    assert_eq!(body["messages"][1]["content"], json!([use_, found, call]));

    let use_ = json!({"type": "tool_search_call", "execution": "server", "call_id": null, "status": "completed",
        "arguments": {"paths": ["get_weather"]}});
    let found = json!({"type": "tool_search_output", "execution": "server", "call_id": null, "status": "completed",
        "tools": [{"type": "function", "name": "get_weather", "defer_loading": true, "parameters": {}}]});
    let call = json!({"type": "function_call", "call_id": "call_1", "name": "get_weather", "arguments": "{\"city\":\"Oslo\"}"});
    let reply = json!({"object": "response", "status": "completed", "output": [use_, found, call]});
    let reply = OpenAiResponsesCodec::new()
        .decode(&ToolDefinitions::default(), reply.to_string().as_bytes())
        .expect("is a response");
    assert_eq!(reply.tool_calls.len(), 1);
    let mut conversation = Conversation::new();
    conversation.push_user("Weather?");
    conversation.push_response(reply);
    let results = [toolwright::ToolResult::success("call_1", "rain")];
    conversation.push_results(results).expect("is the result");
    let request = conversation.request();
    let body = OpenAiResponsesCodec::new()
        .encode(EncodeInput::new("gpt-5.4", &request))
        .expect("can be sent");
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    assert_eq!(body["input"][1], use_);
    assert_eq!(body["input"][2], found);
}

/// A search that does what it is made for, whatever it is asked for.
enum Finds {
    Names(&'static [&'static str]),
    Nothing(ToolError),
    Never,
    Panics,
}

impl ToolSearch for Finds {
    fn search<'a>(
        &'a self,
        tools: &'a Toolset,
        query: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<String>, ToolError>> {
        // It sees the deferred tools and what the model wrote.
        assert_eq!((tools.len(), query, limit), (3, "money", 2));
        match self {
            Self::Names(names) => {
                let names = names.iter().map(ToString::to_string).collect();
                Box::pin(async { Ok(names) })
            }
            Self::Nothing(error) => Box::pin(std::future::ready(Err(error.clone()))),
            Self::Never => Box::pin(std::future::pending()),
            Self::Panics => panic!("the index is broken"),
        }
    }
}

/// The result of a search by a program's own, and the names that the next request offers.
async fn searched_by(finds: Finds) -> (String, Vec<String>) {
    let search = call(SEARCH, &json!({"query": "money", "limit": 2}));
    let model = ScriptedModel::new([search, done()]);
    // Sets that are made of one keep its search.
    let tools = tools().with_search(finds).deferred(|_| false);
    let outcome =
        run(Runner::builder(model.clone())
            .tools(tools.filtered(|tool, _| tool.name != "send_mail")))
        .await;
    let requests = model.requests();
    let offered = names(&requests[1]).into_iter().map(ToOwned::to_owned);
    (results(&outcome).remove(0), offered.collect())
}

#[tokio::test]
async fn a_program_searches_itself() {
    let found: &[_] = &[
        "unknown",
        "get_balance",
        "get_balance",
        "send_mail",
        "get_time",
        "get_weather",
    ];
    let (result, offered) = searched_by(Finds::Names(found)).await;
    assert!(
        result.contains("get_balance") && !result.contains("get_weather"),
        "{result}"
    );
    assert_eq!(offered[2..], ["get_balance", "get_time"]);
}

#[tokio::test(start_paused = true)]
async fn a_search_that_fails_is_an_error_that_the_model_reads() {
    let error = ToolError::new(ErrorCategory::NetworkError, "the index is being built");
    let (result, offered) = searched_by(Finds::Nothing(error)).await;
    assert!(result.contains("the index is being built"), "{result}");
    assert_eq!(offered, FIRST[1..]);
    let (result, offered) = searched_by(Finds::Never).await;
    assert!(
        result.contains("10 seconds") || result.contains("10s"),
        "{result}"
    );
    assert_eq!(offered, FIRST[1..]);
    let (result, offered) = searched_by(Finds::Panics).await;
    assert!(result.contains("internal"), "{result}");
    assert_eq!(offered, FIRST[1..]);
}

#[tokio::test]
async fn the_search_of_a_program_is_used_before_that_of_the_provider() {
    let model = ScriptedModel::new([done()]);
    let native = Searching(model.clone());
    let tools = tools().with_search(Finds::Names(&[]));
    run(Runner::builder(native).tools(tools)).await;
    assert_eq!(names(&model.requests()[0]), FIRST);
}

/// A tool that counts how often its definition is looked at.
struct Counted(ToolDefinition, Arc<AtomicUsize>);

impl Tool for Counted {
    fn definition(&self) -> &ToolDefinition {
        self.1.fetch_add(1, Ordering::Relaxed);
        &self.0
    }

    fn call<'a>(&'a self, _: &'a ToolCall, _: &'a toolwright::ToolContext) -> Call<'a> {
        Call::ready(Ok(toolwright::ToolOutput::text("done")))
    }
}

#[tokio::test]
async fn a_run_looks_at_no_tool_that_it_does_not_load() {
    let looks = Arc::new(AtomicUsize::new(0));
    let schema = toolwright::schema::Schema::from_value(&json!({"type": "object"}));
    let tool = |number: usize| {
        let name = format!("tool_{number}");
        let definition = ToolDefinition::new(name, "Do a thing.", schema.clone());
        Counted(definition.with_deferred(true), Arc::clone(&looks))
    };
    let tools = (0..500).map(tool).try_fold(Toolset::new(), Toolset::with);
    let model = ScriptedModel::new([done(), done(), search("tool_7"), done()]);
    let runner = Runner::builder(model).tools(tools.expect("the names differ"));
    let runner = runner.build().expect("is consistent");
    runner.run("Go.").await.expect("answers");
    looks.store(0, Ordering::Relaxed);
    runner.run("Go.").await.expect("answers");
    assert!(looks.load(Ordering::Relaxed) < 10, "{looks:?}");
}
