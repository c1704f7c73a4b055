//! What holds of every run, whatever has happened.

use super::*;
use crate::model::response::is_blank;

/// What leads from a world to the next is its records: the log alone is the run, and nothing is missing in it.
pub(super) fn check_step(before: &World, after: &World) {
    let mut run = before.run.clone();
    let records = &after.log.records;
    for (place, record) in records.iter().enumerate() {
        if place > 0 {
            check_cut(run.clone(), &records[place..]);
        }
        assert!(run.state.accepts(record), "{record:?}");
        run.state.apply(record);
        run.sequence += 1;
    }
    assert_eq!(run, after.run);
    assert_eq!(run.state.next_record(), None);
}

/// A log that was cut off between two records of one signal is a run that goes on, with what followed then.
fn check_cut(mut run: Run, logged: &[Record]) {
    let mut missing = Vec::new();
    run.settle(&mut Some(&mut missing));
    let waits = matches!(&run.state.phase, Phase::Tools(round)
        if round.running().next().is_some() || round.delayed().next().is_some());
    let waits = waits || run.model_delay().is_some();
    assert!(waits || !run.poll().is_empty() || run.outcome().is_some());
    for (record, logged) in missing.iter().zip(logged) {
        assert_eq!(record, logged);
    }
}

/// The whole log, read again from its start.
pub(super) fn check_log(world: &World) {
    let run = Run::replay(world.log.log());
    assert_eq!(run, Ok((world.run.clone(), Vec::new())));
    assert_eq!(world.run.sequence(), world.log.log().len() as u64);
}

/// The transcript is one that a provider accepts: reading the stored form checks it.
fn check_stored(conversation: &Conversation) {
    let stored = serde_json::to_string(conversation).expect("serialises");
    assert_eq!(
        serde_json::from_str::<Conversation>(&stored).expect("is valid"),
        *conversation
    );
}

/// What holds of a state. `transcripts` are those that were looked at.
pub(super) fn check(world: &World, transcripts: &mut HashSet<u64>) {
    let conversation = world.run.conversation();
    assert!(!conversation.requires_tool_execution());
    world.ledger.check_results(&conversation);
    if transcripts.insert(world.key_of_transcript()) {
        check_stored(&conversation);
        let users = conversation.messages().iter();
        let users = users.filter(|message| matches!(message, Message::User(_)));
        let unread = world.run.state.pushed.unread().len();
        assert_eq!(users.count() + unread, 1 + world.ledger.pushed, "pushed");
    }
    // Nothing waits for a result when the model is asked.
    let state = &world.run.state;
    if !matches!(state.phase, Phase::Tools(_)) {
        assert!(!state.conversation.requires_tool_execution());
    }
    // Model calls are bounded: one a round, one to answer, one flattened, and the pauses and corrections;
    // each is made again as often as the limits allow.
    let limits = &world.run.config().limits;
    let spent = &state.spent;
    let (calls, retries) = (spent.in_all().model_calls, spent.model_retries());
    let flattened = u32::from(limits.on_limit == OnLimit::Summarize);
    let compactions = match state.phase {
        Phase::Model(_) => compacted::check(&world.run),
        _ => state.compacting.requests(),
    };
    world.ledger.check_request(&world.run);
    world.ledger.check_spent(&world.run);
    let turns = limits.max_rounds + 1 + state.pushed.read();
    let again = spent.pauses() + spent.corrections() + retries + compactions;
    let form = world.run.config().answer.as_ref();
    let unfit = form.map_or(0, |form| form.corrections);
    assert!(calls <= turns + flattened + again);
    assert!(
        state.turn.attempts() <= Limits::MODEL_RETRIES && retries <= Limits::MODEL_RETRIES * calls
    );
    assert!(
        spent.rounds() <= limits.max_rounds
            && spent.corrections() <= 3 * (spent.rounds() + 1 + state.pushed.read()) + unfit
    );
    if let Some(outcome) = world.run.outcome() {
        assert_eq!(outcome.conversation, conversation);
        check_finish(&outcome);
    }
}

/// A run says why it ended as it did.
fn check_finish(outcome: &RunOutcome) {
    let text = &outcome.text;
    let warned = |code: &str| {
        outcome
            .warnings
            .iter()
            .any(|warning| warning.code.starts_with(code))
    };
    match &outcome.finish {
        Finish::Answered => assert!(!is_blank(text)),
        Finish::Limit { summarized, .. } if *summarized => {
            assert!(!is_blank(text));
        }
        Finish::Empty => assert!(warned("empty_response")),
        Finish::Failed(Failure::ToolChoiceUnmet) => assert!(warned("tool_choice_unmet")),
        _ => {}
    }
    assert!(outcome.corrections == 0 || !outcome.warnings.is_empty());
    let finish = &outcome.finish;
    let conversation = outcome.conversation.text();
    // The result of a tool that ends a run is its answer.
    let last = outcome.conversation.messages().last();
    let has_round =
        matches!(last, Some(Message::Assistant(message)) if !message.tool_rounds.is_empty());
    let is_result = conversation.is_empty() && has_round;
    if matches!(finish, Finish::Answered) && outcome.pauses == 0 && !is_result {
        assert_eq!(conversation, *text);
    }
}
