//! Begins a run of a chat: at its end, or where a question was asked before.

use toolwright_core::{
    Conversation, Record, UserMessage, driver,
    run::{Finish, RunId},
};
use toolwright_runtime::store::{
    ConversationRef, ConversationVersion, RunSummary, StoreError, StoreErrorKind,
};
use toolwright_streams::ui_message::NewMessage;

use crate::{
    deliver::{StartError, start},
    failure::Failure,
    log,
    runs_of_chat::{AFTER, AGAIN, CHAT, Chat, DIGEST, MESSAGE},
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

/// Why no run has begun.
enum NotBegun {
    /// Another request was faster.
    Raced(Failure),
    Refused(Failure),
}

impl From<StoreError> for NotBegun {
    fn from(error: StoreError) -> Self {
        let is_race = matches!(
            error.kind,
            StoreErrorKind::Outdated | StoreErrorKind::ConversationBusy
        );
        let failure = Failure::from(error);
        if is_race {
            Self::Raced(failure)
        } else {
            Self::Refused(failure)
        }
    }
}

impl From<StartError> for NotBegun {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Store(error) => error.into(),
            StartError::Other => Self::Refused(error.into()),
        }
    }
}

impl From<Failure> for NotBegun {
    fn from(failure: Failure) -> Self {
        Self::Refused(failure)
    }
}

/// A chat as a request finds it.
struct Look {
    versions: Vec<ConversationVersion>,
    newest: Option<RunSummary>,
    /// True if the newest run has begun since the request came.
    is_new: bool,
}

/// What a client asks of a chat.
pub(super) enum Asked<'a> {
    /// A new message, which may take the place of an earlier one, and its digest before it was checked.
    Message(&'a NewMessage, &'a str),
    /// The question of a run once more, by the id of its message or of its question; that of the last one without an id.
    Again(Option<&'a str>),
}

/// Begins a run. It looks again if another request was faster: that may have said the same.
pub(super) async fn run(chat: &Chat<'_>, asked: Asked<'_>) -> Result<RunId, Failure> {
    let (mut first, mut raced) = (None, None);
    for _ in 0..LOOKS {
        // In this order: who begins a run between the two looks changes the version.
        let versions = chat.store().conversation(chat.conversation(), None).await?;
        let newest = chat.newest().await?;
        let id = newest.as_ref().map(|run| run.info.run_id.clone());
        let look = Look {
            versions,
            newest,
            is_new: *first.get_or_insert_with(|| id.clone()) != id,
        };
        let begun = match asked {
            Asked::Message(asked, digest) => of_message(chat, look, asked, digest).await,
            Asked::Again(message) => again(chat, look, message).await,
        };
        match begun {
            Ok(run) => return Ok(run),
            Err(NotBegun::Refused(failure)) => return Err(failure),
            Err(NotBegun::Raced(failure)) => raced = Some(failure),
        }
    }
    Err(raced.unwrap_or_else(|| Failure::busy(None)))
}

async fn of_message(
    chat: &Chat<'_>,
    look: Look,
    asked: &NewMessage,
    digest: &str,
) -> Result<RunId, NotBegun> {
    if let Some(newest) = &look.newest
        && is_said_again(chat, newest, asked, digest).await?
        && !look.is_emptied_since(newest)?
    {
        return said_again(chat, &look, newest).await;
    }
    free(look.newest.as_ref())?;
    let message = asked.message.clone();
    let labels = [(MESSAGE, asked.id.as_str()), (DIGEST, digest)];
    if let Some(replaced) = &asked.replaces {
        let shown = chat.shown().await?;
        if let Some(run) = run_of(&shown, replaced) {
            let place = back_to(chat, &look.versions, &run).await?;
            return begin(chat, &place, message, &labels).await;
        }
        // One that never came here is a new one, if it is the last.
        let last = shown.last().map(|run| run.info.run_id.as_str());
        if last != asked.after.as_deref() {
            let message = "the chat does not have the message that the request replaces";
            return Err(look.missed(&shown, Failure::conflict("outdated", message)));
        }
    }
    let place = end_of(chat, look).await?;
    begin(chat, &place, message, &labels).await
}

async fn again(chat: &Chat<'_>, look: Look, message: Option<&str>) -> Result<RunId, NotBegun> {
    if let Some(newest) = &look.newest
        && is_asked_again(newest, message, look.is_new)
    {
        return Ok(newest.info.run_id.clone());
    }
    let shown = chat.shown().await?;
    let run = match message {
        Some(message) => run_of(&shown, message),
        None => shown.last().cloned(),
    };
    let run = run.ok_or_else(|| look.missed(&shown, Failure::not_found()))?;
    free(look.newest.as_ref())?;
    ask_again(chat, &look.versions, &run).await
}

impl Look {
    /// Returns true if the messages of a run and of those before it were deleted, and it is still there.
    fn is_emptied_since(&self, run: &RunSummary) -> Result<bool, Failure> {
        let continued = run.info.conversation.as_ref().map_or(0, |it| it.version);
        let is_before = continued < newest_version(&self.versions);
        Ok(is_before
            && ConversationVersion::join(&self.versions)?
                .messages()
                .is_empty())
    }

    /// Why a message is not in the runs that a chat shows: another request may have begun one since the look.
    fn missed(&self, shown: &[RunSummary], failure: Failure) -> NotBegun {
        let id = |run: &RunSummary| run.info.run_id.clone();
        if shown.last().map(id) == self.newest.as_ref().map(id) {
            NotBegun::Refused(failure)
        } else {
            NotBegun::Raced(failure)
        }
    }
}

/// Returns true if the newest run answers the question of the same request, which was sent twice.
fn is_asked_again(newest: &RunSummary, message: Option<&str>, is_new: bool) -> bool {
    let Some(replaced) = newest.info.labels.get(AGAIN) else {
        return false;
    };
    let may_be = is_new || !newest.status.is_over();
    match message {
        Some(message) if message == replaced => true,
        Some(message) if message == newest.info.run_id.as_str() => false,
        Some(message) => may_be && run_of(std::slice::from_ref(newest), message).is_some(),
        None => may_be,
    }
}

async fn ask_again(
    chat: &Chat<'_>,
    versions: &[ConversationVersion],
    run: &RunSummary,
) -> Result<RunId, NotBegun> {
    let id = &run.info.run_id;
    let question = log::question(id, &chat.store().load(id, 0).await?)?;
    let place = back_to(chat, versions, run).await?;
    let mut labels = vec![(AGAIN, id.as_str())];
    for name in [MESSAGE, DIGEST] {
        labels.extend(run.info.labels.get(name).map(|value| (name, &**value)));
    }
    begin(chat, &place, question, &labels).await
}

/// Returns true if a client has sent a message that has its run already: it did not hear that it had come. A client that
/// has loaded the chat meanwhile sends the question as it is stored, after the check.
async fn is_said_again(
    chat: &Chat<'_>,
    newest: &RunSummary,
    asked: &NewMessage,
    digest: &str,
) -> Result<bool, NotBegun> {
    let (labels, id) = (&newest.info.labels, &newest.info.run_id);
    if labels.get(MESSAGE) != Some(&asked.id) {
        return Ok(false);
    }
    if labels.get(DIGEST).is_some_and(|it| it == digest) {
        return Ok(true);
    }
    let stored = log::question(id, &chat.store().load(id, 0).await?)?;
    Ok(driver::digest(&stored) == digest)
}

/// The run that answers a message which was sent again: the one that there is, unless it came to nothing before the request.
async fn said_again(chat: &Chat<'_>, look: &Look, run: &RunSummary) -> Result<RunId, NotBegun> {
    let id = &run.info.run_id;
    if run.status.is_over() && !look.is_new {
        let loaded = chat.store().load(id, 0).await?;
        let last = log::last(id, &loaded)?.map(|entry| entry.record);
        if !matches!(last, Some(Record::Finished { finish }) if !is_failed(&finish)) {
            return ask_again(chat, &look.versions, run).await;
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
async fn end_of(chat: &Chat<'_>, look: Look) -> Result<StartPoint, Failure> {
    let Look {
        versions, newest, ..
    } = look;
    let messages = ConversationVersion::join(&versions)?.messages().len();
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
        version: newest_version(&versions),
        after: last.map(|run| run.info.run_id.as_str().to_owned()),
    })
}

/// The newest version of a conversation; 0 if there is none.
fn newest_version(versions: &[ConversationVersion]) -> u64 {
    versions.last().map_or(0, |version| version.version)
}

/// Goes back to where a run began: what its conversation was then is saved as a new version.
async fn back_to(
    chat: &Chat<'_>,
    versions: &[ConversationVersion],
    run: &RunSummary,
) -> Result<StartPoint, NotBegun> {
    let after = run.info.labels.get(AFTER).cloned();
    let continued = run.info.conversation.as_ref().map_or(0, |it| it.version);
    let newest = newest_version(versions);
    let then = usize::try_from(continued).unwrap_or(usize::MAX);
    let then = versions.get(..then).ok_or_else(Failure::not_found)?;
    let (then, now) = (
        ConversationVersion::join(then)?,
        ConversationVersion::join(versions)?,
    );
    let version = if then == now {
        newest
    } else {
        save(chat, newest + 1, &now, &then).await?
    };
    Ok(StartPoint { version, after })
}

/// Empties a conversation by a new version: a run that begins from now on continues nothing of what was said, and comes
/// after all others.
pub(super) async fn empty(chat: &Chat<'_>) -> Result<(), Failure> {
    let versions = chat.store().conversation(chat.conversation(), None).await?;
    let Ok(now) = ConversationVersion::join(&versions) else {
        // Nothing goes on from one that is damaged.
        return Ok(());
    };
    if now.messages().is_empty() {
        return Ok(());
    }
    let next = newest_version(&versions) + 1;
    let saved = save(chat, next, &now, &Conversation::new()).await;
    saved.map(drop).map_err(|error| match error {
        NotBegun::Raced(failure) | NotBegun::Refused(failure) => failure,
    })
}

async fn save(
    chat: &Chat<'_>,
    version: u64,
    now: &Conversation,
    then: &Conversation,
) -> Result<u64, NotBegun> {
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
    labels: &[(&str, &str)],
) -> Result<RunId, NotBegun> {
    let version = ConversationRef::new(chat.conversation().as_str(), place.version);
    let request = chat.runner().request(message).checked().within(version);
    let mut request = request.label(CHAT, chat.id());
    if let Some(after) = &place.after {
        request = request.label(AFTER, after);
    }
    for (name, id) in labels {
        request = request.label(*name, *id);
    }
    Ok(start(chat.app(), request).await?)
}
