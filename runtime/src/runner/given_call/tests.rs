use super::*;
use crate::testing::ScriptedModel;
use toolwright_core::{
    ApprovalRequest, Decision, DynamicTool, Finish, ModelResponse, ToolError, ToolPolicy, Toolset,
    run::StopReason,
};

/// Neither a model nor a search for tools stands between the program and the tool.
#[tokio::test]
async fn a_given_call_is_the_only_one_of_its_run() {
    let pay = DynamicTool::builder("pay", "Pays what somebody is owed.");
    let pay = pay.policy(ToolPolicy::default().with_approval());
    let pay = pay.build(|_: ToolCall, _| async { Ok::<_, ToolError>("paid") });
    let tools = Toolset::new().with(pay.expect("is sound"));
    let tools = tools.expect("is the only one").deferred(|_| true);
    let model = ScriptedModel::new(Vec::<ModelResponse>::new());
    let builder = Runner::builder(model.clone()).tools(tools);
    let runner = builder.suspends().build().expect("is consistent");
    let call = || runner.call(ToolCall::new("1", "pay", "{}"));
    for (decision, text) in [(Decision::Approve, "paid"), (Decision::deny("no"), "no")] {
        let decide = move |_: ApprovalRequest| {
            let decision = decision.clone();
            async { decision }
        };
        let outcome = call().approver(decide).run().await.expect("has run");
        let stopped = StopReason::Condition(StopWhen::Rounds(1));
        assert_eq!(outcome.finish, Finish::Stopped(stopped));
        let round = outcome.tool_rounds().next().expect("it is one");
        let result = round.results[0].to_model_text().into_owned();
        assert!(result.contains(text), "{result}");
    }
    let outcome = call().run().await.expect("waits");
    assert_eq!(outcome.finish, Finish::Suspended);
    assert!(model.requests().is_empty());
}

#[tokio::test]
async fn a_runner_without_a_model_answers_no_question() {
    let runner = Runner::without_model().build().expect("is consistent");
    let error = runner.run("Hello.").await.expect_err("nobody answers");
    assert!(error.to_string().contains("Runner::call"), "{error}");
}
