//! Settings of one run, and a conversation that several tasks use.

use std::time::Duration;

use futures_util::FutureExt;
use toolwright::{
    Conversation, ModelResponse, Runner, ToolCall, Toolset,
    model::{ModelSettings, ToolChoice},
    run::{Cost, Finish, Limits, StopWhen},
    runner::{BuildError, RunOptions, SharedConversation},
    testing::ScriptedModel,
    tool, toolset,
    toolset::{ToolRegistry, ToolsetError},
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
    let changed = runner.with_options(options).unwrap();
    changed.run("Say a.").await.unwrap();
    runner.run("Say b.").await.unwrap();
    // A conversation with a system text of its own has the instructions as well.
    let mut own = Conversation::new().with_system("Be kind.");
    changed.run_in(&mut own, "Say c.").await.unwrap();
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

#[tokio::test]
async fn options_bound_a_run() {
    let model = ScriptedModel::new([call(), says("at the limit"), call(), says("never")]);
    let runner = Runner::builder(model)
        .tools(toolset![look_up])
        .build()
        .unwrap();
    let mut limits = Limits::default();
    limits.max_rounds = 1;
    let bounded = runner
        .with_options(RunOptions::new().with_limits(limits))
        .unwrap();
    let outcome = bounded.run("Look up a.").await.unwrap();
    assert!(
        matches!(outcome.finish, Finish::Limit { .. }),
        "{:?}",
        outcome.finish
    );
    let stops = [StopWhen::ToolCalled("look_up".into())];
    let stopped = runner
        .with_options(RunOptions::new().with_stop_when(stops))
        .unwrap();
    let outcome = stopped.run("Look up a.").await.unwrap();
    assert!(
        matches!(outcome.finish, Finish::Stopped(_)),
        "{:?}",
        outcome.finish
    );
}

#[test]
fn options_that_contradict_the_runner_are_refused() {
    let runner = Runner::builder(ScriptedModel::new([says("a")])).tools(toolset![look_up]);
    let runner = runner.build().unwrap();
    let refused = |options| runner.with_options(options).unwrap_err();
    let error = refused(RunOptions::new().with_tools(["look_upp"]));
    assert!(
        matches!(error, BuildError::Tools(ToolsetError::Unknown { .. })),
        "{error}"
    );
    let error = refused(RunOptions::new().with_tool_choice(ToolChoice::Tool("delete".into())));
    assert!(matches!(error, BuildError::UnknownTool { .. }), "{error}");
    let none: [&str; 0] = [];
    let required = RunOptions::new()
        .with_tools(none)
        .with_tool_choice(ToolChoice::Required);
    assert_eq!(refused(required), BuildError::NoTools);
    let mut limits = Limits::default();
    limits.max_cost = Some(Cost::new(1.0));
    assert_eq!(
        refused(RunOptions::new().with_limits(limits)),
        BuildError::NoPrices
    );
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
    let runner = runner.with_options(options).unwrap();
    runner.run("Say a.").await.unwrap();
    assert!(names(&model, 0).is_empty());
    registry
        .update(|tools: Toolset| tools.merge(toolset![look_up]))
        .unwrap();
    // Options add up.
    let again = RunOptions::new().with_tools(["look_up", "delete"]);
    runner
        .with_options(again)
        .unwrap()
        .run("Say b.")
        .await
        .unwrap();
    assert_eq!(names(&model, 1), ["look_up"]);
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
                    .run_in(&mut turn, format!("{number}"))
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
        let mut run = Box::pin(runner.run_in(&mut turn, "Say it."));
        let polled = (&mut run).now_or_never();
        drop((polled, run));
    }
    let next = tokio::time::timeout(Duration::from_secs(1), chat.turn()).await;
    assert!(next.is_ok(), "its turn is over");
}
