//! A conversation goes to another agent, and back.

use toolwright::{
    message::ToolRound,
    model::ModelSettings,
    run::{CallId, Finish, Record, Run},
    runner::{Printer, RunEvent},
};

use super::*;
use crate::handwritten::{Handwritten, echo};

fn lookup() -> Handwritten {
    Handwritten::new("lookup", async |_, _| {
        Ok(toolwright::ToolOutput::text("12 crowns"))
    })
}

#[tokio::test]
async fn the_other_agent_goes_on_with_the_conversation_until_it_hands_back() {
    let main = model([
        calls(&["echo", "transfer_to_billing"]),
        says("All is said."),
    ]);
    let billing = model([calls(&["lookup"]), to("main")]);
    let of_billing = member("billing", &billing)
        .tools(set([lookup()]))
        .settings(ModelSettings::new().with_temperature(0.5));
    let runner = member("main", &main)
        .tools(set([echo()]))
        .agent(agent("billing", of_billing))
        .build()
        .expect("is sound");

    let mut handle = runner.start("What do I owe?");
    let mut log = Vec::new();
    while let Some(event) = handle.next().await {
        if let RunEvent::Recorded { record, .. } = event {
            log.push(record);
        }
    }
    let outcome = handle.outcome().await.expect("answers");
    assert_eq!(
        (outcome.finish, &*outcome.text),
        (Finish::Answered, "All is said.")
    );
    assert_eq!(
        (outcome.rounds, outcome.tool_calls, outcome.model_calls),
        (3, 4, 4)
    );
    assert_eq!(outcome.agent.as_deref(), Some("main"));
    assert_eq!(outcome.conversation.agent(), Some("main"));

    // Each request is made with what its agent has, over the whole conversation so far.
    let (main, billing) = (main.requests(), billing.requests());
    assert_eq!((main.len(), billing.len()), (2, 2));
    for (request, agent, tools, rounds) in [
        (&main[0], "main", ["echo", "transfer_to_billing"], 0),
        (&billing[0], "billing", ["lookup", "transfer_to_main"], 1),
        (&billing[1], "billing", ["lookup", "transfer_to_main"], 2),
        (&main[1], "main", ["echo", "transfer_to_billing"], 3),
    ] {
        assert_eq!(system(request), format!("You are {agent}."));
        assert_eq!(names(request), tools);
        let is_half = request.settings == ModelSettings::new().with_temperature(0.5);
        assert_eq!(is_half, agent == "billing");
        let sent = request.messages.iter().filter_map(|message| match message {
            toolwright::Message::Assistant(message) => Some(message.tool_rounds.iter().count()),
            toolwright::Message::User(_) => None,
        });
        assert_eq!(sent.sum::<usize>(), rounds);
    }
    assert_eq!(results(&billing[1]), ["12 crowns"]);

    // The log says it, and is the run.
    let handed: Vec<_> = log
        .iter()
        .filter_map(|record| match record {
            Record::Transferred { call, from, to } => Some((*call, from.as_str(), to.as_str())),
            _ => None,
        })
        .collect();
    let id = |round, index| CallId { round, index };
    assert_eq!(
        handed,
        [(id(0, 1), "main", "billing"), (id(2, 0), "billing", "main")]
    );
    let (replayed, missing) = Run::replay(&log).expect("is a run");
    assert!(missing.is_empty());
    assert_eq!(replayed.agent(), Some("main"));
}

#[tokio::test]
async fn the_answer_is_that_of_the_agent_that_was_handed_over_to() {
    let (main, billing) = (model([to("billing")]), model([says("You owe nothing.")]));
    let runner = pair(&main, &billing).build().expect("is sound");
    let mut printed = Vec::new();
    let run = Printer::new(&mut printed).run(runner.start("?")).await;
    let outcome = run.expect("answers");
    assert_eq!(outcome.text, "You owe nothing.");
    assert_eq!(outcome.agent.as_deref(), Some("billing"));
    let results: Vec<_> = outcome
        .tool_rounds()
        .flat_map(ToolRound::answered_calls)
        .collect();
    let text = results[0].1.to_model_text();
    assert_eq!(text, "`billing` goes on with the conversation.");
    let printed = String::from_utf8(printed).expect("is text");
    assert!(
        printed.contains("\n  main hands over to billing\nYou owe nothing.\n"),
        "{printed}"
    );
}

/// Nothing of it is there for those who have no agents.
#[tokio::test]
async fn a_runner_without_agents_is_as_before() {
    let main = model([says("Hello.")]);
    let runner = member("main", &main).build().expect("is sound");
    let outcome = runner.run("?").await.expect("answers");
    assert_eq!((outcome.agent, outcome.conversation.agent()), (None, None));
    let stored = serde_json::to_string(&outcome.conversation).expect("is stored");
    assert!(!stored.contains("agent"), "{stored}");
    assert!(main.requests()[0].tools.is_empty());
}
