//! Begins a run of a chat: at its end, or where a question was asked before.

use toolwright_core::{
    Conversation, Record, UserMessage,
    run::{Finish, RunId},
};
use toolwright_runtime::store::{ConversationRef, ConversationVersion, RunSummary, StoreErrorKind};
use toolwright_streams::ui_message::NewMessage;

use crate::{
    deliver::{StartError, start},
    failure::Failure,
    log,
    runs_of_chat::{AFTER, CHAT, Chat, MESSAGE, is_id},
};

/// How often a chat that changes meanwhile is loaded again.
const LOOKS: usize = 4;

/// Where a run begins.
struct StartPoint {
    /// The version of the conversation that it continues.
    version: u64,
    /// The run before it.
    after: Option<String>,
}

/// Begins a run with a new message, which may take the place of an earlier one.
pub(super) async fn of_message(chat: &Chat<'_>, asked: NewMessage) -> Result<RunId, Failure> {
    if let Some(replaced) = &asked.replaces {
        let shown = chat.shown().await?;
        let newest = shown.last();
        if let Some(newest) = newest
            && is_said_again(chat, newest, &asked).await?
        {
            return said_again(chat, newest).await;
        }
        free(newest)?;
        if let Some(run) = run_of(&shown, replaced) {
            let place = back_to(chat, &run).await?;
            let begun = begin(chat, &place, asked.message, Some(&asked.id)).await;
            return Ok(begun?);
        }
        // One that never came here is a new one, if it is the last.
        if newest.map(|run| run.info.run_id.as_str()) != asked.after.as_deref() {
            return Err(Failure::conflict(
                "outdated",
                "the chat does not have the message that the request replaces",
            ));
        }
    }
    for _ in 0..LOOKS {
        // In this order: who begins a run between the two looks changes the version.
        let versions = chat.store().conversation(chat.conversation(), None).await?;
        let newest = chat.newest().await?;
        if let Some(newest) = &newest
            && is_said_again(chat, newest, &asked).await?
        {
            return said_again(chat, newest).await;
        }
        free(newest.as_ref())?;
        let place = end_of(chat, &versions, newest).await?;
        match begin(chat, &place, asked.message.clone(), Some(&asked.id)).await {
            Err(StartError::Store(error)) if error.kind == StoreErrorKind::Outdated => {}
            begun => return Ok(begun?),
        }
    }
    Err(Failure::busy(None))
}

/// Begins a run with the question of another one, by the id of its message or of its question.
pub(super) async fn again(chat: &Chat<'_>, message: Option<&str>) -> Result<RunId, Failure> {
    let shown = chat.shown().await?;
    let run = match message {
        Some(message) => run_of(&shown, message),
        None => shown.last().cloned(),
    };
    let run = run.ok_or_else(Failure::not_found)?;
    free(shown.last())?;
    ask_again(chat, &run).await
}

async fn ask_again(chat: &Chat<'_>, run: &RunSummary) -> Result<RunId, Failure> {
    let id = &run.info.run_id;
    let question = log::question(id, &chat.store().load(id, 0).await?)?;
    let place = back_to(chat, run).await?;
    let message = run.info.labels.get(MESSAGE);
    Ok(begin(chat, &place, question, message.map(String::as_str)).await?)
}

/// Returns true if a client has sent a message that has its run already: it did not hear that it had come.
async fn is_said_again(
    chat: &Chat<'_>,
    newest: &RunSummary,
    asked: &NewMessage,
) -> Result<bool, Failure> {
    let labels = &newest.info.labels;
    // A client that does not know the runs of others sends another id of the previous message.
    if labels.get(MESSAGE) != Some(&asked.id) {
        return Ok(false);
    }
    let id = &newest.info.run_id;
    let question = log::question(id, &chat.store().load(id, 0).await?)?;
    Ok(question == asked.message)
}

/// The run that answers a message which was sent again: the one that there is, unless it came to nothing.
async fn said_again(chat: &Chat<'_>, run: &RunSummary) -> Result<RunId, Failure> {
    let id = &run.info.run_id;
    if run.status.is_over() {
        let loaded = chat.store().load(id, 0).await?;
        let last = log::last(id, &loaded)?.map(|entry| entry.record);
        if !matches!(last, Some(Record::Finished { finish }) if !is_failed(&finish)) {
            return ask_again(chat, run).await;
        }
    }
    Ok(id.clone())
}

fn is_failed(finish: &Finish) -> bool {
    matches!(finish, Finish::Failed(_) | Finish::Cancelled)
}

/// Checks that no run of a chat is under way.
fn free(newest: Option<&RunSummary>) -> Result<(), Failure> {
    match newest {
        Some(run) if !run.status.is_over() => Err(Failure::busy(Some(&run.info.run_id))),
        _ => Ok(()),
    }
}

/// The run of a message, by the id of its answer or of its question.
fn run_of(shown: &[RunSummary], message: &str) -> Option<RunSummary> {
    let is_it = |run: &&RunSummary| {
        let info = &run.info;
        info.run_id.as_str() == message
            || info.labels.get(MESSAGE).is_some_and(|id| id == message)
            || question_id(&info.run_id) == message
    };
    shown.iter().rev().find(is_it).cloned()
}

/// The id of the question of a run that was not asked by a client which gave it one.
pub(super) fn question_id(run: &RunId) -> String {
    format!("{run}:question")
}

/// The end of a chat: after its newest run.
///
/// Who asks a question again goes back first and begins a run then. If the program is gone between the two, the runs from
/// that question on are not in the conversation any more: the end is before them.
async fn end_of(
    chat: &Chat<'_>,
    versions: &[ConversationVersion],
    newest: Option<RunSummary>,
) -> Result<StartPoint, Failure> {
    let messages = ConversationVersion::join(versions)?.messages().len();
    let is_said = |run: &RunSummary| {
        let before = run.info.conversation.as_ref().map_or(0, |it| it.version);
        let before = usize::try_from(before)
            .ok()
            .and_then(|before| versions.get(..before));
        let before = ConversationVersion::join(before.unwrap_or_default());
        before.is_ok_and(|before| before.messages().len() < messages)
    };
    let last = match newest {
        Some(newest) if !is_said(&newest) => chat.shown().await?.into_iter().rev().find(is_said),
        newest => newest,
    };
    Ok(StartPoint {
        version: newest_version(versions),
        after: last.map(|run| run.info.run_id.as_str().to_owned()),
    })
}

/// The newest version of a conversation; 0 if there is none.
fn newest_version(versions: &[ConversationVersion]) -> u64 {
    versions.last().map_or(0, |version| version.version)
}

/// Goes back to where a run began: what its conversation was then is saved as a new version.
async fn back_to(chat: &Chat<'_>, run: &RunSummary) -> Result<StartPoint, Failure> {
    let after = run.info.labels.get(AFTER).cloned();
    let continued = run.info.conversation.as_ref().map_or(0, |it| it.version);
    let versions = chat.store().conversation(chat.conversation(), None).await?;
    let newest = newest_version(&versions);
    let then = usize::try_from(continued).unwrap_or(usize::MAX);
    let then = versions.get(..then).ok_or_else(Failure::not_found)?;
    let (then, now) = (
        ConversationVersion::join(then)?,
        ConversationVersion::join(&versions)?,
    );
    let version = if then == now {
        newest
    } else {
        save(chat, newest + 1, &now, &then).await?
    };
    Ok(StartPoint { version, after })
}

async fn save(
    chat: &Chat<'_>,
    version: u64,
    now: &Conversation,
    then: &Conversation,
) -> Result<u64, Failure> {
    let text = ConversationVersion::following(now, version, then)?;
    chat.store()
        .save_conversation(chat.conversation(), &text)
        .await?;
    Ok(version)
}

async fn begin(
    chat: &Chat<'_>,
    place: &StartPoint,
    message: UserMessage,
    message_id: Option<&str>,
) -> Result<RunId, StartError> {
    let version = ConversationRef::new(chat.conversation().as_str(), place.version);
    let request = chat.runner().request(message).within(version);
    let mut request = request.label(CHAT, chat.id());
    if let Some(after) = &place.after {
        request = request.label(AFTER, after);
    }
    if let Some(id) = message_id.filter(|id| is_id(id)) {
        request = request.label(MESSAGE, id);
    }
    start(request).await
}
