//! The one way in which a behaviour is tried.

use std::time::Duration;

use toolwright::{
    Conversation, Runner,
    model::ModelEvent,
    run::{Failure, Finish},
    runner::{RunEvent, RunHandle},
};

use crate::{
    behaviour::{Ask, Behaviour, Cancel, Place, Seen, Way, Wrong},
    provider::{Key, Provider},
    table::Verdict,
    tap::{TOO_DEAR, Tap},
};

/// The warnings that say that the provider has not what is asked for.
const NOT_SENT: [&str; 3] = ["provider_tool_ignored", "document_ignored", "image_ignored"];

/// Tries a behaviour.
pub(crate) async fn run(
    behaviour: &Behaviour,
    way: Way,
    provider: &Provider,
    model: &str,
    tap: &Tap,
) -> Verdict {
    let asked = (behaviour.ask)();
    let seen = match seen(asked, way, provider, model, tap).await {
        Ok(seen) => seen,
        Err(why) => return Verdict::NotRun(why),
    };
    if let Finish::Failed(Failure::Model(error)) = &seen.outcome.finish
        && error.code.as_deref() == Some(TOO_DEAR)
    {
        return Verdict::NotRun(error.message.clone());
    }
    let mut warnings = seen.outcome.warnings.iter();
    if let Some(warning) = warnings.find(|it| NOT_SENT.contains(&it.code.as_str())) {
        return Verdict::NotRun(warning.message.clone());
    }
    match (behaviour.holds)(&seen) {
        Ok(()) => Verdict::Holds,
        Err(why) => Verdict::Differs(why),
    }
}

async fn seen(
    asked: Ask,
    way: Way,
    provider: &Provider,
    model: &str,
    tap: &Tap,
) -> Result<Seen, String> {
    let key = match asked.wrong {
        Some(Wrong::Key) => Key::Wrong,
        _ => Key::Own,
    };
    let model = match asked.wrong {
        Some(Wrong::Model) => "no-such-model-of-a-test",
        _ => model,
    };
    let model = provider.connect(model, key, tap);
    let runner = Runner::builder(model.map_err(|error| error.to_string())?)
        .system(asked.system)
        .tools(asked.tools)
        .tool_choice(asked.choice)
        .settings(asked.settings)
        .streaming(way == Way::Streamed)
        .max_rounds(4)
        .max_time(Duration::from_secs(180))
        .build()
        .map_err(|error| error.to_string())?;
    let mut conversation = Conversation::new();
    let mut last = None;
    for turn in asked.turns {
        let request = runner.request(turn).within(conversation);
        let seen = if asked.is_typed {
            let mut handle = request.answer_as::<Place>().start();
            let pieces = read(&mut handle, asked.cancel).await;
            let (place, outcome) = match handle.answer().await {
                Ok(answer) => (Some(answer.value), answer.outcome),
                Err(error) => (None, error.into_outcome()),
            };
            Seen {
                outcome,
                pieces,
                place,
            }
        } else {
            let mut handle = request.start();
            let pieces = read(&mut handle, asked.cancel).await;
            let outcome = handle.outcome().await;
            let outcome = outcome.unwrap_or_else(|error| *error.outcome);
            Seen {
                outcome,
                pieces,
                place: None,
            }
        };
        conversation = seen.outcome.conversation.clone();
        last = Some(seen);
    }
    last.ok_or_else(|| "it asks nothing".to_owned())
}

/// Reads a run to its end, and counts the pieces of text.
async fn read<A>(handle: &mut RunHandle<A>, cancel: Option<Cancel>) -> usize {
    if cancel == Some(Cancel::AtOnce) {
        handle.cancel();
    }
    let mut pieces = 0;
    while let Some(event) = handle.next().await {
        if matches!(event, RunEvent::Delta(ModelEvent::Text(_))) {
            pieces += 1;
            if cancel == Some(Cancel::AtFirstText) {
                handle.cancel();
            }
        }
    }
    pieces
}
