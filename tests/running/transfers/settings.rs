//! What counts of the runner of an agent.

use std::sync::{Arc, Mutex};

use toolwright::{
    ToolContext, ToolOutput,
    dispatch::CallOptions,
    model::{ModelSettings, ToolChoice},
    redact::Secrets,
    run::RequestPlan,
    runner::{NextRequest, RunEvent, RunOptions},
    tool::CallUpdate,
};

use super::*;
use crate::handwritten::{Handwritten, echo};

/// Extensions of a test.
struct Database(&'static str);
struct User(&'static str);

#[tokio::test]
async fn the_calls_of_an_agent_have_its_extensions_and_else_those_of_the_run() {
    let seen = || {
        let tool = Handwritten::new("seen", async |_, cx: ToolContext| {
            let (database, user) = (cx.require::<Database>()?.0, cx.require::<User>()?.0);
            Ok(ToolOutput::text(format!("{database} {user}")))
        });
        set([tool])
    };
    let main = model([calls(&["seen", "transfer_to_billing"]), says("end")]);
    let billing = model([calls(&["seen", "transfer_to_main"])]);
    let with = |database| CallOptions::new().with_extension(Database(database));
    let of_billing = member("billing", &billing)
        .tools(seen())
        .calls(with("of billing"));
    let runner = member("main", &main).tools(seen()).calls(with("of main"));
    let runner = runner
        .agent(agent("billing", of_billing))
        .build()
        .expect("is sound");
    let outcome = runner.with_extension(User("Ada")).run("?").await;
    outcome.expect("answers");
    assert_eq!(results(&billing.requests()[0])[0], "of main Ada");
    assert_eq!(results(&main.requests()[1])[0], "of billing Ada");
}

#[tokio::test]
async fn the_outputs_of_an_agent_are_redacted_as_its_runner_says() {
    let tell = Handwritten::new("tell", async |_, cx: ToolContext| {
        cx.progress().fraction(0.5, "it is 4711");
        tokio::task::yield_now().await;
        Ok(ToolOutput::text("it is 4711"))
    });
    let main = model([to("billing")]);
    let billing = model([calls(&["tell"]), says("end")]);
    let calls = CallOptions::new().with_redaction(Secrets::new(["4711"]));
    let of_billing = member("billing", &billing).tools(set([tell])).calls(calls);
    let runner = member("main", &main).agent(agent("billing", of_billing));
    let mut handle = runner.build().expect("is sound").start("?");
    let mut heard = Vec::new();
    while let Some(event) = handle.next().await {
        if let RunEvent::Update {
            update: CallUpdate::Progress(report),
            ..
        } = event
        {
            heard.push(report.message.clone());
        }
    }
    handle.outcome().await.expect("answers");
    let result = &results(&billing.requests()[1])[0];
    assert!(!result.contains("4711"), "{result}");
    assert_eq!(heard.len(), 1);
    assert!(!heard[0].contains("4711"), "{heard:?}");
}

#[tokio::test]
async fn each_agent_has_a_hook_of_its_own() {
    let heard = Arc::<Mutex<Vec<_>>>::default();
    let hook = |tools: &'static [&'static str]| {
        let heard = Arc::clone(&heard);
        move |next: NextRequest| {
            let agent = next.agent.unwrap_or_default();
            heard
                .lock()
                .expect("nobody panicked")
                .push((agent, next.rounds));
            async move { RequestPlan::new().with_tools(tools.iter().copied()) }
        }
    };
    let main = model([to("billing"), says("end")]);
    let billing = model([to("main")]);
    let of_billing = member("billing", &billing)
        .tools(set([echo()]))
        .before_request(hook(&["transfer_to_main"]));
    let runner = member("main", &main).agent(agent("billing", of_billing));
    runner
        .build()
        .expect("is sound")
        .run("?")
        .await
        .expect("answers");
    assert_eq!(
        *heard.lock().expect("nobody panicked"),
        [("billing".to_owned(), 1)]
    );
    assert_eq!(names(&billing.requests()[0]), ["transfer_to_main"]);
}

#[tokio::test]
async fn the_tool_choice_of_an_agent_counts_from_when_it_took_over() {
    let main = model([to("billing"), says("end")]);
    let billing = model([calls(&["echo"]), to("main")]);
    let of_billing = member("billing", &billing)
        .tools(set([echo()]))
        .tool_choice(ToolChoice::Tool("echo".to_owned()));
    let runner = pair_with(&main, of_billing).tool_choice(ToolChoice::Required);
    runner
        .build()
        .expect("is sound")
        .run("?")
        .await
        .expect("answers");
    let choices = |requests: Vec<ModelRequest>| -> Vec<_> {
        let choices = requests.into_iter();
        choices.map(|request| request.tool_choice).collect()
    };
    assert_eq!(
        choices(main.requests()),
        [ToolChoice::Required, ToolChoice::Auto]
    );
    assert_eq!(
        choices(billing.requests()),
        [ToolChoice::Tool("echo".to_owned()), ToolChoice::Auto]
    );
}

fn pair_with(main: &ScriptedModel, of_billing: RunnerBuilder) -> RunnerBuilder {
    member("main", main).agent(agent("billing", of_billing))
}

#[tokio::test]
async fn options_of_a_run_hold_for_all_of_its_agents() {
    let main = model([to("billing")]);
    let billing = model([says("end")]);
    let of_billing = member("billing", &billing)
        .tools(set([echo()]))
        .tool_choice(ToolChoice::Required);
    let runner = pair_with(&main, of_billing).build().expect("is sound");
    let settings = ModelSettings::new().with_temperature(0.5);
    let options = RunOptions::new()
        .with_settings(settings.clone())
        .with_tools(["transfer_to_billing"])
        .with_tool_choice(ToolChoice::Auto)
        .with_instructions("Be brief.");
    let outcome = runner.request("?").with(options).run().await;
    outcome.expect("answers");
    assert_eq!(names(&main.requests()[0]), ["transfer_to_billing"]);
    let request = &billing.requests()[0];
    assert!(request.tools.is_empty());
    assert_eq!(
        (&request.settings, &request.tool_choice),
        (&settings, &ToolChoice::Auto)
    );
    assert_eq!(system(request), "You are billing.\n\nBe brief.");
}

#[tokio::test]
async fn tools_of_an_agent_that_are_looked_up_stay_its_own() {
    let main = model([to("billing")]);
    let search = ToolCall::new("a", "search_tools", r#"{"query": "echo"}"#);
    let billing = model([
        ModelResponse::from_calls([search]),
        calls(&["echo"]),
        says("end"),
    ]);
    let of_billing = member("billing", &billing).tools(set([echo()]).deferred(|_| true));
    let runner = pair_with(&main, of_billing).build().expect("is sound");
    runner.run("?").await.expect("answers");
    assert_eq!(names(&main.requests()[0]), ["transfer_to_billing"]);
    let requests = billing.requests();
    assert_eq!(names(&requests[0]), ["transfer_to_main", "search_tools"]);
    assert_eq!(
        names(&requests[1]),
        ["transfer_to_main", "search_tools", "echo"]
    );
    assert_eq!(results(&requests[2]), ["{}"]);
}
