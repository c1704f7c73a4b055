//! Runs whose conversation is handed over between agents.

use super::*;

fn agents() -> RunConfig {
    let billing = AgentConfig::new("billing")
        .with_system("Mind the money.")
        .with_tool_choice(ToolChoice::Required);
    RunConfig {
        system: Some("Say who can help.".to_owned()),
        agents: vec![AgentConfig::new("main"), billing, AgentConfig::new("plain")],
        ..RunConfig::default()
    }
}

fn begin(config: RunConfig, conversation: Conversation) -> (Run, Vec<Record>) {
    Run::start(RunId::new("run"), config, conversation, "question")
}

fn transfers<const N: usize>(agents: [&str; N]) -> ModelResponse {
    let call = |agent| ToolCall::new("t", format!("transfer_to_{agent}"), "{}");
    ModelResponse::from_calls(agents.map(call))
}

fn system(run: &Run) -> Option<String> {
    run.request().system
}

#[test]
fn a_hand_over_holds_from_the_next_request_on_and_back() {
    let (mut run, _) = begin(agents(), Conversation::new());
    assert_eq!(
        (run.agent(), system(&run).as_deref()),
        (Some("main"), Some("Say who can help."))
    );
    assert_eq!(run.request().tool_choice, ToolChoice::Auto);
    reply(&mut run, transfers(["billing"]));
    // The calls of the round are those of the agent that made them.
    assert_eq!(run.agent(), Some("main"));
    answer_all_calls(&mut run);
    assert_eq!(
        (run.agent(), system(&run).as_deref()),
        (Some("billing"), Some("Mind the money."))
    );
    assert_eq!(run.request().tool_choice, ToolChoice::Required);
    reply(&mut run, calls(&["a"]));
    answer_all_calls(&mut run);
    assert_eq!(run.request().tool_choice, ToolChoice::Auto);
    reply(&mut run, transfers(["main"]));
    answer_all_calls(&mut run);
    assert_eq!(system(&run).as_deref(), Some("Say who can help."));
    // All rounds are in what is sent.
    let Message::Assistant(message) = &run.request().messages[1] else {
        panic!("a response")
    };
    assert_eq!(message.tool_rounds.len(), 3);
    reply(&mut run, ModelResponse::from_text("done"));
    let outcome = outcome(&run);
    assert_eq!(outcome.agent.as_deref(), Some("main"));
    assert_eq!(outcome.conversation.agent(), Some("main"));
}

#[test]
fn a_system_text_of_the_conversation_is_that_of_the_first_agent() {
    let conversation = || Conversation::new().with_system("Of the conversation.");
    for (agent, expected) in [
        ("main", "Of the conversation."),
        ("billing", "Mind the money."),
        ("plain", "Of the conversation."),
    ] {
        let (run, _) = begin(agents(), conversation().with_agent(agent));
        assert_eq!(system(&run).as_deref(), Some(expected), "{agent}");
    }
    // The system text of the run is the first agent's alone.
    let (run, _) = begin(agents(), Conversation::new().with_agent("plain"));
    assert_eq!(system(&run), None);
}

#[test]
fn the_settings_or_the_conversation_say_which_agent_begins() {
    let of_conversation = Conversation::new().with_agent("billing");
    let (run, _) = begin(agents(), of_conversation.clone());
    assert_eq!(run.agent(), Some("billing"));
    let mut config = agents();
    config.agent = Some("plain".to_owned());
    let (run, _) = begin(config, of_conversation);
    assert_eq!(run.agent(), Some("plain"));
    // One that the run does not have is none.
    let (run, _) = begin(agents(), Conversation::new().with_agent("gone"));
    assert_eq!(
        (run.agent(), run.conversation().agent()),
        (Some("main"), Some("main"))
    );
    // A run without agents leaves it as it is.
    let (run, _) = begin(RunConfig::default(), Conversation::new().with_agent("gone"));
    assert_eq!(
        (run.agent(), run.conversation().agent()),
        (None, Some("gone"))
    );
}

#[test]
fn the_first_of_several_hand_overs_holds() {
    let (mut run, _) = begin(agents(), Conversation::new());
    reply(&mut run, transfers(["plain", "billing", "plain"]));
    answer_all_calls(&mut run);
    assert_eq!(run.agent(), Some("plain"));
    reply(&mut run, ModelResponse::from_text("done"));
    let outcome = outcome(&run);
    let round = outcome.tool_rounds().next().expect("there is a round");
    let texts: Vec<_> = round
        .results
        .iter()
        .map(ToolResult::to_model_text)
        .collect();
    assert_eq!(texts[0], "0.0");
    for text in &texts[1..] {
        assert!(text.contains("`transfer_to_plain` comes first"), "{text}");
    }
    assert_eq!(outcome.tool_calls, 1);
}

#[test]
fn a_hand_over_by_a_tool_that_is_not_on_offer_leaves_the_next_one() {
    let (mut run, _) = begin(agents(), Conversation::new());
    run.handle(Signal::Replied {
        response: transfers(["billing", "plain", "main"]),
        policies: vec![ToolPolicy::default().with_unknown(), ToolPolicy::default()],
        unfit: None,
    });
    while let Some(Action::StartCall(id)) = run.poll().first().copied() {
        run.handle(Signal::CallStarted(id));
        let result = match id.index {
            0 => ToolResult::error_message("", "there is no such tool"),
            _ => ToolResult::success("", "handed over"),
        };
        run.handle(Signal::CallFinished(id, result));
    }
    assert_eq!(run.agent(), Some("plain"));
    reply(&mut run, ModelResponse::from_text("done"));
    let outcome = outcome(&run);
    let round = outcome.tool_rounds().next().expect("there is a round");
    let texts = round.results.iter().map(ToolResult::to_model_text);
    let texts: Vec<_> = texts.collect();
    assert!(texts[0].contains("no such tool"), "{texts:?}");
    assert_eq!(texts[1], "handed over");
    assert!(
        texts[2].contains("`transfer_to_plain` comes first"),
        "{texts:?}"
    );
}

#[test]
fn a_hand_over_that_failed_or_that_nobody_knows_is_none() {
    let (mut run, _) = begin(agents(), Conversation::new());
    for response in [transfers(["nobody"]), transfers(["billing"])] {
        reply(&mut run, response);
        while let Some(Action::StartCall(id)) = run.poll().first().copied() {
            run.handle(Signal::CallStarted(id));
            run.handle(Signal::CallFinished(
                id,
                ToolResult::error_message("", "no"),
            ));
        }
        assert_eq!(run.agent(), Some("main"));
    }
    // Without agents it is a tool like others.
    let (mut run, _) = begin(RunConfig::default(), Conversation::new());
    reply(&mut run, transfers(["billing"]));
    answer_all_calls(&mut run);
    assert_eq!((run.agent(), run.conversation().agent()), (None, None));
}

#[test]
fn a_log_that_was_cut_off_after_the_call_goes_on_with_the_hand_over() {
    let (mut run, mut log) = begin(agents(), Conversation::new());
    let response = transfers(["billing"]);
    log.extend(run.handle(Signal::Replied {
        unfit: None,
        response,
        policies: Vec::new(),
    }));
    let id = CallId { round: 0, index: 0 };
    log.extend(run.handle(Signal::CallStarted(id)));
    log.extend(run.handle(Signal::CallFinished(id, ToolResult::success("t", "done"))));
    let transferred = Record::Transferred {
        call: id,
        from: "main".to_owned(),
        to: "billing".to_owned(),
    };
    assert_eq!(log.last(), Some(&transferred));
    assert_eq!(Run::replay(&log), Ok((run.clone(), Vec::new())));
    log.pop();
    assert_eq!(Run::replay(&log), Ok((run, vec![transferred.clone()])));
    // Nothing else may come next, and it comes only then.
    log.push(Record::CancelRequested);
    assert_eq!(Run::replay(&log), Err(CorruptLog { sequence: 4 }));
    log.truncate(1);
    log.push(transferred);
    assert_eq!(Run::replay(&log), Err(CorruptLog { sequence: 1 }));
}

#[test]
fn the_last_request_is_of_the_agent_that_was_handed_over_to() {
    let mut config = agents();
    config.limits = Limits::default().with_max_rounds(1);
    let (mut run, _) = begin(config, Conversation::new());
    reply(&mut run, transfers(["billing"]));
    answer_all_calls(&mut run);
    assert!(matches!(
        run.poll()[..],
        [Action::CallModel(ModelCall::Locked)]
    ));
    let request = run.request();
    assert_eq!(request.system.as_deref(), Some("Mind the money."));
    assert_eq!(request.tool_choice, ToolChoice::None);
}

#[test]
fn agents_that_hand_over_to_each_other_without_end_make_no_progress() {
    let (mut run, _) = begin(agents(), Conversation::new());
    let mut rounds = 0;
    while run.outcome().is_none() && matches!(run.poll()[..], [Action::CallModel(ModelCall::Open)])
    {
        let to = if run.agent() == Some("main") {
            "plain"
        } else {
            "main"
        };
        reply(&mut run, transfers([to]));
        while let Some(Action::StartCall(id)) = run.poll().first().copied() {
            run.handle(Signal::CallStarted(id));
            run.handle(Signal::CallFinished(
                id,
                ToolResult::success("", "handed over"),
            ));
        }
        rounds += 1;
    }
    assert!(rounds < 12, "{rounds} rounds");
    assert!(matches!(
        run.poll()[..],
        [Action::CallModel(ModelCall::Locked)]
    ));
}
