//! Agents that contradict each other, or their runner.

use toolwright::{
    ToolOutput,
    dispatch::CallOptions,
    run::{AnswerMeans, Failure},
    runner::{AgentError, BuildError, RunOptions},
    tool::ToolPolicy,
    toolset::ToolsetError,
};

use super::*;
use crate::handwritten::{Handwritten, echo};

fn plain() -> RunnerBuilder {
    Runner::builder(model(Vec::<ModelResponse>::new()))
}

fn error(builder: RunnerBuilder) -> AgentError {
    match builder.build().expect_err("is none") {
        BuildError::Agents(error) => error,
        other => panic!("{other}"),
    }
}

#[test]
fn a_name_is_one_of_a_tool_after_its_beginning() {
    for name in ["", "Billing", "7up", "a b", "bill-ing", &"x".repeat(53)] {
        let other = agent("billing", plain());
        let named = Agent::new(name, "Knows invoices.", plain().build().expect("is sound"));
        for builder in [
            plain().agent(named),
            plain().agent_name(name, "Knows a lot.").agent(other),
        ] {
            let name = name.to_owned();
            assert_eq!(error(builder), AgentError::Name { name });
        }
    }
    let longest = "x".repeat(52);
    let runner = plain().agent(agent(&longest, plain())).build();
    let tools = runner.expect("is sound").tools();
    assert_eq!(tools.names().next().map(str::len), Some(64));
}

#[test]
fn agents_have_descriptions_and_names_of_their_own() {
    let short = Agent::new("billing", " short  ", plain().build().expect("is sound"));
    let (name, chars) = ("billing".to_owned(), 5);
    assert_eq!(
        error(plain().agent(short)),
        AgentError::Description { name, chars }
    );
    for twice in ["main", "billing"] {
        let builder = plain()
            .agent(agent("billing", plain()))
            .agent(agent(twice, plain()));
        let name = twice.to_owned();
        assert_eq!(error(builder), AgentError::Duplicate { name });
    }
    let builder = plain().agent_name("triage", "Says who can help.");
    let builder = builder.agent(agent("main", plain()));
    builder.build().expect("the names differ");
}

#[test]
fn an_agent_hands_over_to_others_that_there_are() {
    for (from, to) in [
        ("main", "nobody"),
        ("main", "main"),
        ("billing", "nobody"),
        ("billing", "billing"),
    ] {
        let billing = agent("billing", plain());
        let builder = match from {
            "main" => plain().transfers_to([to]).agent(billing),
            _ => plain().agent(billing.transfers_to([to])),
        };
        let (from, to) = (from.to_owned(), to.to_owned());
        assert_eq!(error(builder), AgentError::Unknown { from, to });
    }
}

#[test]
fn agents_of_agents_are_added_to_one_runner() {
    let inner = plain().agent(agent("other", plain()));
    let name = "billing".to_owned();
    assert_eq!(
        error(plain().agent(agent("billing", inner))),
        AgentError::Nested { name }
    );
}

#[test]
fn a_tool_with_the_name_of_a_hand_over_is_told() {
    let taken = |name| {
        set([Handwritten::new(name, async |_, _| {
            Ok(ToolOutput::text(""))
        })])
    };
    let (own, theirs) = ("transfer_to_billing", "transfer_to_main");
    // Also where the agent itself hands over to nobody, and of the agent itself: a run goes by the name.
    for (tool, of) in [
        (own, "main"),
        (theirs, "main"),
        (theirs, "billing"),
        (own, "billing"),
    ] {
        let (main, billing) = match of {
            "main" => (plain().tools(taken(tool)), plain()),
            _ => (plain(), plain().tools(taken(tool))),
        };
        let billing = agent("billing", billing).transfers_to(Vec::<String>::new());
        let builder = main.transfers_to(["billing"]).agent(billing);
        let (name, duplicate) = (of.to_owned(), tool.to_owned());
        let expected = ToolsetError::Duplicate { name: duplicate };
        let expected = AgentError::Tools {
            name,
            error: expected,
        };
        assert_eq!(error(builder), expected);
    }
    // The tool that takes an answer is beside those of every agent.
    let means = AnswerMeans::Tool("echo".to_owned());
    let builder = plain()
        .answer_means(means)
        .agent(agent("billing", plain().tools(set([echo()]))));
    assert!(matches!(error(builder), AgentError::Tools { .. }));
}

#[test]
fn somebody_is_there_to_approve_the_calls_of_each_agent() {
    let pay = || {
        let tool = Handwritten::new("pay", async |_, _| Ok(ToolOutput::text("paid")));
        set([tool.with_policy(ToolPolicy::default().with_approval())])
    };
    let billing = || agent("billing", plain().tools(pay()).suspends());
    let (name, tool) = ("billing".to_owned(), "pay".to_owned());
    assert_eq!(
        error(plain().agent(billing())),
        AgentError::NoApprover { name, tool }
    );
    plain()
        .suspends()
        .agent(billing())
        .build()
        .expect("it waits");
    let approver = || {
        let approves = async |_| toolwright::approval::Decision::Approve;
        CallOptions::new().with_approver(approves)
    };
    plain()
        .calls(approver())
        .agent(billing())
        .build()
        .expect("that of the run decides");
    let own = agent("billing", plain().tools(pay()).calls(approver()));
    plain().agent(own).build().expect("its own decides");
}

#[test]
fn what_comes_with_a_request_comes_with_that_of_the_run() {
    struct User;
    let of_request = || agent("billing", plain().request_extension::<User>());
    assert!(matches!(
        error(plain().agent(of_request())),
        AgentError::NoExtension { .. }
    ));
    let runner = plain().request_extension::<User>().agent(of_request());
    runner.build().expect("it comes with the request");
    let calls = CallOptions::new().with_extension(User);
    plain()
        .calls(calls)
        .agent(of_request())
        .build()
        .expect("it is there");
}

#[tokio::test]
async fn options_name_agents_and_tools_that_there_are() {
    let billing = plain().tools(set([echo()]));
    let model = model([says("yes"), says("yes")]);
    let runner = member("main", &model)
        .agent(agent("billing", billing))
        .build()
        .expect("is sound");
    let refused = async |options| {
        let outcome = runner.request("?").with(options).run().await;
        outcome.err().map(|error| error.failure)
    };
    let contradicts = |error: BuildError| {
        let reason = error.to_string();
        Some(Failure::Options { reason })
    };
    let name = "nobody".to_owned();
    let expected = BuildError::Agents(AgentError::NoSuchAgent { name });
    let options = RunOptions::new().with_agent("nobody");
    assert_eq!(refused(options).await, contradicts(expected));
    let options = RunOptions::new().with_agent("main");
    assert_eq!(refused(options).await, None, "it is one");
    let options = RunOptions::new().with_tools(["echo"]);
    assert_eq!(refused(options).await, None, "billing has it");
    let unknown = RunOptions::new().with_tools(["echo", "find"]);
    let missing = refused(unknown).await;
    assert!(
        matches!(&missing, Some(Failure::Options { reason }) if reason.contains("`find`")),
        "{missing:?}"
    );
    // Whichever agent the run is with, it has to be able to call the tool.
    let name = "echo".to_owned();
    let chosen = toolwright::model::ToolChoice::Tool(name.clone());
    let chosen = RunOptions::new().with_tool_choice(chosen);
    let expected = BuildError::UnknownTool { name };
    assert_eq!(refused(chosen).await, contradicts(expected));
    assert_eq!(model.requests().len(), 2, "those that contradict sent none");
}
