//! The settings that a batch and a run share mean the same in both, and say what they add to.

use toolwright::{
    Dispatch, ModelResponse, Runner, ToolCall, ToolContext, ToolOutput, Toolset,
    dispatch::{CallOptions, DispatchOptions},
    redact::{Redact, redact_fn},
    testing::ScriptedModel,
    tool::{Capabilities, ToolPolicy},
};

use crate::handwritten::Handwritten;

struct User(&'static str);
struct Tenant(u32);

/// A tool that says who calls, and requires capabilities.
fn tools() -> Toolset {
    let requires = Capabilities::NETWORK | Capabilities::DATABASE;
    let who = Handwritten::new("who", async |_, cx: ToolContext| {
        let (user, tenant) = (cx.require::<User>()?, cx.require::<Tenant>()?);
        Ok(ToolOutput::text(format!("{} of {}", user.0, tenant.0)))
    });
    let who = who.with_policy(ToolPolicy::default().with_requires(requires));
    Toolset::new().with(who).expect("one tool")
}

fn replaces(from: &'static str, to: &'static str) -> impl Redact {
    redact_fn(move |text| text.replace(from, to).into())
}

/// Everything that adds, set twice.
fn options() -> CallOptions {
    CallOptions::new()
        .with_granted(Capabilities::NETWORK)
        .with_granted(Capabilities::DATABASE)
        .with_extension(User("nobody"))
        .with_extension(Tenant(7))
        .with_extension(User("somebody"))
        .with_redaction(replaces("somebody", "A"))
        .with_redaction(replaces("A of", "B of"))
}

fn calls() -> [ToolCall; 1] {
    [ToolCall::new("a", "who", "{}")]
}

async fn batch(options: DispatchOptions) -> String {
    let results = tools().dispatch_with(&calls(), &options).await;
    results[0].to_model_text().into_owned()
}

fn runner(options: CallOptions) -> Runner {
    let reply = ModelResponse::from_calls(calls());
    let model = ScriptedModel::new([reply, ModelResponse::from_text("done")]);
    let runner = Runner::builder(model).tools(tools()).calls(options);
    runner.build().expect("is consistent")
}

async fn run(runner: &Runner) -> String {
    let outcome = runner.run("Who?").await.expect("answers");
    let round = outcome.tool_rounds().next().expect("there was a round");
    round.results[0].to_model_text().into_owned()
}

#[tokio::test]
async fn redactions_grants_and_extensions_add_up() {
    assert_eq!(batch(options().into()).await, "B of 7");
    assert_eq!(run(&runner(options())).await, "B of 7");
}

#[tokio::test]
async fn a_value_that_is_nearer_takes_precedence() {
    let context = ToolContext::default().with_extension(User("ada"));
    let nearer = DispatchOptions::from(options()).with_context(context);
    assert_eq!(batch(nearer).await, "ada of 7");
    let nearer = runner(options()).with_extension(User("ada"));
    assert_eq!(run(&nearer).await, "ada of 7");
}

#[tokio::test]
async fn all_settings_are_replaced_together() {
    let options = DispatchOptions::from(options()).with_calls(CallOptions::new());
    assert!(batch(options).await.contains("no tool called `who`"));
}
