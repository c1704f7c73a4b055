//! Settings of one run, and a conversation that several tasks use.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::FutureExt;
use toolwright::{
    Conversation, ModelResponse, Runner, Tool, ToolCall, ToolContext, ToolDefinition, ToolError,
    ToolOutput, Toolset,
    dynamic::DynamicTool,
    model::{ModelSettings, ToolChoice},
    run::{Cost, Failure, Finish, Limits, StopWhen, StoreErrorKind},
    runner::{AnswerError, BuildError, RunOptions, SharedConversation},
    schema::Schema,
    store::{ConversationId, ConversationRef, MemoryStore},
    testing::ScriptedModel,
    tool,
    tool::{Call, ToolPolicy},
    toolset,
    toolset::ToolRegistry,
};

/// Look up a word.
#[tool(read_only)]
fn look_up(word: String) -> String {
    word
}

/// Delete a word.
#[tool]
fn delete(word: String) -> String {
    word
}

fn call() -> ModelResponse {
    ModelResponse::from_calls([ToolCall::new("1", "look_up", r#"{"word": "a"}"#)])
}

fn says(text: &str) -> ModelResponse {
    ModelResponse::from_text(text)
}

fn names(model: &ScriptedModel, request: usize) -> Vec<String> {
    let tools = model.requests()[request].tools.clone();
    tools.iter().map(|tool| tool.name.to_string()).collect()
}

#[tokio::test]
async fn options_hold_for_the_runs_that_have_them() {
    let model = ScriptedModel::new([says("a"), says("b"), says("c")]);
    let runner = Runner::builder(model.clone())
        .system("Be brief.")
        .tools(toolset![look_up, delete])
        .build()
        .unwrap();
    let mut settings = ModelSettings::default();
    settings.max_output_tokens = Some(7);
    let options = RunOptions::new()
        .with_instructions("Answer in French.")
        .with_tools(["look_up"])
        .with_tool_choice(ToolChoice::None)
        .with_settings(settings.clone());
    let changed = |question: &str| runner.request(question).with(options.clone());
    changed("Say a.").run().await.unwrap();
    runner.run("Say b.").await.unwrap();
    // A conversation with a system text of its own has the instructions as well.
    let mut own = Conversation::new().with_system("Be kind.");
    let request = changed("Say c.").within(&mut own);
    request.run().await.unwrap();
    assert_eq!(own.system(), Some("Be kind."), "they are not kept");

    let requests = model.requests();
    let systems = requests.iter().map(|request| request.system.as_deref());
    assert_eq!(
        systems.collect::<Vec<_>>(),
        [
            Some("Be brief.\n\nAnswer in French."),
            Some("Be brief."),
            Some("Be kind.\n\nAnswer in French."),
        ]
    );
    assert_eq!(names(&model, 0), ["look_up"]);
    assert_eq!(names(&model, 1), ["look_up", "delete"]);
    assert_eq!(requests[0].tool_choice, ToolChoice::None);
    assert_eq!(requests[0].settings, settings);
    assert_ne!(requests[1].settings, settings);
}

/// A tool that counts how often its definition is looked at.
struct Counted(ToolDefinition, Arc<AtomicUsize>);

impl Tool for Counted {
    fn definition(&self) -> &ToolDefinition {
        self.1.fetch_add(1, Ordering::SeqCst);
        &self.0
    }

    fn call<'a>(&'a self, _: &'a ToolCall, _: &'a ToolContext) -> Call<'a> {
        Call::ready(Ok(ToolOutput::text("seen")))
    }
}

/// How often definitions are looked at in a run with so many rounds, in which all tools or one less may be called.
async fn looks(rounds: usize, are_deferred: bool, are_narrowed: bool) -> usize {
    let count = Arc::new(AtomicUsize::new(0));
    let names = ["look", "read", "write"];
    let tools = names.into_iter().fold(Toolset::new(), |tools, name| {
        let schema = Schema::from_text(r#"{"type":"object"}"#).expect("it is a schema");
        let definition = ToolDefinition::new(name, "A tool.", schema);
        let definition = definition.with_deferred(are_deferred && name != "look");
        let tool = Counted(definition, Arc::clone(&count));
        tools.with(tool).expect("each name stands once")
    });
    // No two of them are the same, which would be no progress.
    let call =
        |n| ModelResponse::from_calls([ToolCall::new("1", "look", format!("{{\"n\":{n}}}"))]);
    let script = (0..rounds).map(call).chain([says("Done.")]);
    let runner = Runner::builder(ScriptedModel::new(script)).tools(tools);
    let runner = runner.build().expect("it is built");
    let options = if are_narrowed {
        RunOptions::new().with_tools(["look", "read"])
    } else {
        RunOptions::new()
    };
    count.store(0, Ordering::SeqCst);
    let run = runner.request("Go on.").with(options).run();
    let outcome = run.await.expect("it ends");
    assert_eq!(outcome.text, "Done.");
    count.load(Ordering::SeqCst)
}

#[tokio::test]
async fn a_round_with_fewer_tools_costs_what_one_with_all_costs() {
    for are_deferred in [false, true] {
        let [all, fewer] = [false, true].map(|are_narrowed| async move {
            let [few, many] = [3, 30].map(|rounds| looks(rounds, are_deferred, are_narrowed));
            many.await - few.await
        });
        assert_eq!(fewer.await, all.await, "deferred: {are_deferred}");
    }
}

#[tokio::test]
async fn options_bound_a_run() {
    let model = ScriptedModel::new([call(), says("at the limit"), call(), says("never")]);
    let runner = Runner::builder(model)
        .tools(toolset![look_up])
        .build()
        .unwrap();
    let mut limits = Limits::default();
    limits.max_rounds = 1;
    let bounded = RunOptions::new().with_limits(limits);
    let request = runner.request("Look up a.").with(bounded);
    let outcome = request.run().await.unwrap();
    assert!(
        matches!(outcome.finish, Finish::Limit { .. }),
        "{:?}",
        outcome.finish
    );
    let stops = [StopWhen::ToolCalled("look_up".into())];
    let stopped = RunOptions::new().with_stop_when(stops);
    let request = runner.request("Look up a.").with(stopped);
    let outcome = request.run().await.unwrap();
    assert!(
        matches!(outcome.finish, Finish::Stopped(_)),
        "{:?}",
        outcome.finish
    );
}

/// The run fails before its first request, and says why.
#[tokio::test]
async fn options_that_contradict_the_runner_end_the_run_before_its_first_request() {
    let model = ScriptedModel::new([says("a")]);
    let runner = Runner::builder(model.clone()).tools(toolset![look_up]);
    let runner = runner.build().unwrap();
    let none: [&str; 0] = [];
    let mut limits = Limits::default();
    limits.max_cost = Some(Cost::new(1.0));
    let delete = ToolChoice::Tool("delete".into());
    let unknown = toolset![look_up].only(["look_upp"]).unwrap_err();
    let name = "delete".to_owned();
    let cases = [
        (
            RunOptions::new().with_tools(["look_upp"]),
            BuildError::Tools(unknown),
        ),
        (
            RunOptions::new().with_tool_choice(delete),
            BuildError::UnknownTool { name },
        ),
        (
            RunOptions::new()
                .with_tools(none)
                .with_tool_choice(ToolChoice::Required),
            BuildError::NoTools,
        ),
        (RunOptions::new().with_limits(limits), BuildError::NoPrices),
    ];
    let same = RunOptions::new();
    for (options, why) in cases {
        let mut conversation = Conversation::new().with_system("Be brief.");
        let request = runner.request("Say a.").within(&mut conversation);
        let run = request.with(options.clone()).with(same.clone()).run();
        let error = run.await.unwrap_err();
        let reason = why.to_string();
        assert_eq!(error.failure, Failure::Options { reason });
        assert_eq!(error.outcome.model_calls, 0);
        // It can be asked again: the conversation has nothing of it.
        assert_eq!(conversation, Conversation::new().with_system("Be brief."));
        // Those that are read and typed as well, without an event.
        let request = runner.request("Say a.").with(options.clone());
        let mut handle = request.start();
        assert!(handle.next().await.is_none());
        assert_eq!(handle.outcome().await.unwrap_err().failure, error.failure);
        let typed = runner.request("Say a.").answer_as::<u8>().with(options);
        let Err(AnswerError::Failed(typed)) = typed.run().await else {
            panic!("there is no answer");
        };
        assert_eq!(typed.failure, error.failure);
    }
    assert!(model.requests().is_empty());
}

/// A log may print it: what people said is not for that.
#[tokio::test]
async fn a_request_prints_nothing_of_what_was_said() {
    let pay = ToolPolicy::default().with_approval();
    let pay = DynamicTool::builder("pay", "Pays what is owed.").policy(pay);
    let pay = pay.build(async |_: ToolCall, _| Ok::<_, ToolError>("paid"));
    let calls = ModelResponse::from_calls([ToolCall::new("1", "pay", "{}")]);
    let runner = Runner::builder(ScriptedModel::new([calls]));
    let runner = runner.tools(Toolset::new().with(pay.unwrap()).unwrap());
    let runner = runner.suspends().build().unwrap();
    let said = Conversation::new().with_system("a secret");
    let request = runner.request("a secret").within(said).label("user", "ada");
    let printed = format!("{request:?}");
    assert!(
        printed.contains("ada") && !printed.contains("secret"),
        "{printed}"
    );
    let suspended = request.run().await.unwrap().suspended.unwrap();
    let answers = [suspended.pending()[0].deny("a secret")];
    let printed = format!("{:?}", runner.resume(suspended).decide(answers));
    assert!(!printed.contains("secret"), "{printed}");
}

#[tokio::test]
async fn a_conversation_of_a_store_needs_one() {
    let model = ScriptedModel::new([says("a")]);
    let runner = Runner::builder(model.clone()).build().unwrap();
    let request = runner.request("Say a.").within(ConversationId::new("chat"));
    let error = request.run().await.unwrap_err();
    assert!(error.to_string().contains("`chat`"), "{error}");
    assert!(matches!(error.failure, Failure::Options { .. }));
    assert!(model.requests().is_empty());
}

#[tokio::test]
async fn a_run_is_within_what_it_is_given() {
    let model = ScriptedModel::new(["1", "2", "3", "4", "5", "6"].map(says));
    let store = MemoryStore::new();
    let runner = Runner::builder(model).store("tests", store.clone());
    let runner = runner.build().unwrap();
    let request = || runner.request("Count.");

    // One of its own.
    let outcome = request().run().await.unwrap();
    assert_eq!(outcome.conversation.messages().len(), 2);
    // One that is borrowed has what the run added.
    let mut conversation = outcome.conversation;
    let outcome = request().within(&mut conversation).run().await.unwrap();
    assert_eq!(outcome.conversation, conversation);
    assert_eq!(conversation.messages().len(), 4);
    // One that is given comes back.
    let handle = request().within(conversation).start();
    let outcome = handle.outcome().await.unwrap();
    assert_eq!(outcome.conversation.messages().len(), 6);
    // One of the store is saved there, and goes on by its id.
    let chat = ConversationId::new("chat");
    request().within(chat.clone()).run().await.unwrap();
    let outcome = request().within(&chat).start().outcome().await;
    assert_eq!(outcome.unwrap().conversation.messages().len(), 4);
    // At a version that is the newest no more it does not begin.
    let old = ConversationRef::new(chat.clone(), 1);
    let error = request().within(old).run().await.unwrap_err();
    let Failure::Store(error) = error.failure else {
        panic!("{error}");
    };
    assert_eq!(error.kind, StoreErrorKind::Outdated);
    let newest = ConversationRef::new(chat.clone(), 2);
    let outcome = request().within(&newest).run().await.unwrap();
    assert_eq!(outcome.conversation.messages().len(), 6);
    // One of a version that is to come is no newer one, and begins as little.
    let later = ConversationRef::new(chat, 4);
    let error = request().within(&later).run().await.unwrap_err();
    assert!(matches!(error.failure, Failure::Store(_)), "{error}");
    assert_eq!(error.outcome.conversation.messages().len(), 1);
}

#[tokio::test]
async fn tools_of_a_registry_are_chosen_by_name_as_they_come() {
    let registry = ToolRegistry::from(toolset![delete]);
    let model = ScriptedModel::new([says("a"), says("b")]);
    let runner = Runner::builder(model.clone())
        .registry(registry.clone())
        .build()
        .unwrap();
    let options = RunOptions::new().with_tools(["look_up", "later"]);
    let request = |question: &str| runner.request(question).with(options.clone());
    request("Say a.").run().await.unwrap();
    assert!(names(&model, 0).is_empty());
    registry
        .update(|tools: Toolset| tools.merge(toolset![look_up]))
        .unwrap();
    request("Say b.").run().await.unwrap();
    assert_eq!(names(&model, 1), ["look_up"]);
}

/// The options are looked at once, when the run begins.
#[tokio::test]
async fn of_several_options_the_last_that_sets_a_thing_holds() {
    let model = ScriptedModel::new([says("a"), says("a")]);
    let runner = Runner::builder(model.clone()).tools(toolset![look_up, delete]);
    let runner = runner.build().unwrap();
    let chosen = ToolChoice::Tool("delete".into());
    let first = RunOptions::new()
        .with_tools(["look_upp"])
        .with_instructions("Answer in French.");
    let second = RunOptions::new().with_tool_choice(chosen.clone());
    let last = RunOptions::new().with_tools(["delete"]);
    let request = runner.request("Say a.").with(first).with(second).with(last);
    let error = request.run().await.unwrap_err();
    assert_eq!(error.failure, Failure::ToolChoiceUnmet, "it was asked");
    assert_eq!(names(&model, 0), ["delete"]);
    let request = &model.requests()[0];
    assert_eq!(request.tool_choice, chosen);
    assert_eq!(request.system.as_deref(), Some("Answer in French."));
}

#[tokio::test]
async fn turns_come_in_their_order_and_leave_what_they_made() {
    let chat = SharedConversation::new(Conversation::new().with_system("Be brief."));
    let first = chat.turn().await;
    let mut later: Vec<_> = (0..3)
        .map(|number| {
            let chat = chat.clone();
            tokio::spawn(async move {
                let model = ScriptedModel::new([says("x")]);
                let runner = Runner::builder(model).build().expect("is sound");
                let mut turn = chat.turn().await;
                let seen = turn.messages().len();
                runner
                    .request(format!("{number}"))
                    .within(&mut turn)
                    .run()
                    .await
                    .expect("answers");
                seen
            })
        })
        .collect();
    tokio::task::yield_now().await;
    // Whoever reads does not wait, and whoever gives up keeps nobody waiting.
    assert_eq!(chat.snapshot(), *first);
    later.remove(1).abort();
    drop(first);
    let mut seen = Vec::new();
    for task in later {
        seen.push(task.await.unwrap());
    }
    assert_eq!(seen, [0, 2]);
    assert_eq!(chat.snapshot().messages().len(), 4);
    assert_eq!(chat.snapshot().system(), Some("Be brief."));
}

#[tokio::test(start_paused = true)]
async fn a_run_that_is_dropped_leaves_the_conversation_as_it_was() {
    let chat = SharedConversation::default();
    let model = ScriptedModel::new([says("late")]);
    let runner = Runner::builder(model).build().unwrap();
    {
        let mut turn = chat.turn().await;
        let mut run = Box::pin(runner.request("Say it.").within(&mut turn).run());
        let polled = (&mut run).now_or_never();
        drop((polled, run));
    }
    let next = tokio::time::timeout(Duration::from_secs(1), chat.turn()).await;
    assert!(next.is_ok(), "its turn is over");
}
