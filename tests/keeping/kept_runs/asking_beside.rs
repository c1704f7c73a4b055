//! Questions of what a call has started beside itself: none waits for ever.

use toolwright::{
    Dispatch, ToolContext,
    approval::{ApprovalRequest, Decision},
    dispatch::{CallOptions, DispatchOptions},
    run::Finish,
    tool::{Question, Unasked},
};

use tokio::{
    sync::{Notify, mpsc},
    time::timeout,
};

use super::*;

type Answers = mpsc::UnboundedReceiver<Result<Decision, Unasked>>;

fn question(message: &str) -> Question {
    Question::url(message, "https://example.com")
}

/// A tool that starts a task, which asks at once, and again when the call is over. The tool asks itself, or returns at once.
fn tools(asks: bool) -> (Toolset, Answers, Arc<Notify>) {
    let ((tell, answers), over) = (mpsc::unbounded_channel(), Arc::new(Notify::new()));
    let is_over = Arc::clone(&over);
    let tool = DynamicTool::builder("pay", "Asks beside itself.");
    let tool = tool.build(move |_: ToolCall, cx: ToolContext| {
        let (tell, is_over, beside) = (tell.clone(), Arc::clone(&is_over), cx.clone());
        async move {
            tokio::spawn(async move {
                let _ = tell.send(beside.ask("at once", question("Now?")).await);
                is_over.notified().await;
                let _ = tell.send(beside.ask("later", question("Later?")).await);
            });
            if asks {
                cx.ask("own", question("Me?")).await?;
            }
            // The task has asked.
            tokio::task::yield_now().await;
            Ok::<_, ToolError>("paid")
        }
    });
    let tools = Toolset::new().with(tool.expect("is sound"));
    (tools.expect("is one"), answers, over)
}

/// The task beside the call gets an error for both questions.
async fn fail(mut answers: Answers, over: &Notify) {
    over.notify_one();
    for _ in 0..2 {
        let answer = timeout(Duration::from_hours(1), answers.recv()).await;
        let answer = answer.expect("it waits for ever").expect("it is told");
        assert!(matches!(answer, Err(Unasked::Failed(_))), "{answer:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_asked_beside_a_call_of_a_run_fails_when_the_attempt_is_over() {
    let (tools, answers, over) = tools(true);
    let runner = Runner::builder(model([calls(&["pay"])])).tools(tools);
    let runner = runner.suspends().build().expect("is sound");
    let outcome = runner.run("buy").await.expect("does not fail");
    assert_eq!(outcome.finish, Finish::Suspended);
    fail(answers, &over).await;
}

#[tokio::test(start_paused = true)]
async fn what_is_asked_beside_a_call_fails_when_the_call_is_over() {
    let (tools, answers, over) = tools(false);
    let approver = async |_: ApprovalRequest| std::future::pending::<Decision>().await;
    let calls = CallOptions::default().with_approver(approver);
    let options = DispatchOptions::default().with_calls(calls);
    let call = [ToolCall::new("a", "pay", "{}")];
    let results = tools.dispatch_with(&call, &options).await;
    assert_eq!(results[0].to_model_text(), "paid");
    fail(answers, &over).await;
}

/// The result of a call outside of a run, whose questions are all answered, and how many were asked.
async fn answered(tools: &Toolset) -> (String, usize) {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let approver = move |_: ApprovalRequest| {
        count.fetch_add(1, Ordering::SeqCst);
        async { Decision::approve_with("{}") }
    };
    let calls = CallOptions::default().with_approver(approver);
    let options = DispatchOptions::default().with_calls(calls);
    let call = [ToolCall::new("a", "pay", "{}")];
    let results = tools.dispatch_with(&call, &options).await;
    let text = results[0].to_model_text().into_owned();
    (text, asked.load(Ordering::SeqCst))
}

/// Outside of a run the first answer is there when the second question comes.
#[tokio::test]
async fn another_question_by_the_same_key_is_an_error_outside_of_a_run() {
    let tool = DynamicTool::builder("pay", "Asks twice by one key.");
    let tool = tool.build(async |_: ToolCall, cx: ToolContext| {
        let mut texts = Vec::new();
        for message in ["One?", "One?", "Two?"] {
            texts.push(match cx.ask("key", question(message)).await {
                Ok(_) => "answered".to_owned(),
                Err(error) => error.to_string(),
            });
        }
        Ok::<_, ToolError>(texts.join("; "))
    });
    let tools = Toolset::new().with(tool.expect("is sound"));
    let (text, asked) = answered(&tools.expect("is one")).await;
    assert!(text.starts_with("answered; answered; "), "{text}");
    assert!(text.contains("has the key `key`"), "{text}");
    assert_eq!(asked, 1);
}

/// The answers are those of the call, also where an attempt of it fails.
#[tokio::test(start_paused = true)]
async fn a_call_outside_of_a_run_that_is_tried_again_has_its_answers() {
    let tool = DynamicTool::builder("pay", "Asks, and fails once.")
        .policy(ToolPolicy::default().with_effects(Effects::ReadOnly));
    let tool = tool.build(async |_: ToolCall, cx: ToolContext| {
        cx.ask("key", question("One?")).await?;
        match cx.attempt() {
            1 => Err(ToolError::new(
                toolwright::ErrorCategory::NetworkError,
                "gone",
            )),
            _ => Ok("paid"),
        }
    });
    let tools = Toolset::new().with(tool.expect("is sound"));
    let (text, asked) = answered(&tools.expect("is one")).await;
    assert_eq!((&*text, asked), ("paid", 1));
}
