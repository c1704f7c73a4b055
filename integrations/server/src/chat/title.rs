//! Titles of chats: one that the owner gave, or the first question.

use std::sync::Arc;

use axum::{
    Extension,
    extract::{Path, Request, State},
    response::Response,
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use toolwright_core::{Conversation, UserMessage, message::text_of, visible_line};
use toolwright_runtime::store::{ConversationVersion, RunSummary};

use crate::{
    app::App,
    caller::Visitor,
    failure::Failure,
    incoming, json,
    log::{self, unless_damaged, unless_gone},
    parts::Read,
    runs_of_chat::Chat,
};

/// The longest title, in characters.
const TITLE: usize = 80;

#[derive(Deserialize)]
struct Rename {
    /// The new title; `None` for the first question.
    title: Option<String>,
}

#[derive(Serialize)]
struct Renamed<'a> {
    id: &'a str,
    title: Option<String>,
}

/// Gives a chat another title.
pub(crate) async fn rename(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Read(Path(id)): Read<Path<String>>,
    request: Request,
) -> Result<Response, Failure> {
    let asked: Rename = incoming::read_as(&app, request).await?;
    // What was begun is ended, also if the client is gone.
    let given = tokio::spawn(async move { give(&app, &visitor, &id, asked).await });
    let given = given.await;
    given.unwrap_or_else(|_| Err(Failure::internal("the request could not be completed")))
}

async fn give(
    app: &Arc<App>,
    visitor: &Visitor,
    id: &str,
    asked: Rename,
) -> Result<Response, Failure> {
    let chat = Chat::new(app, visitor, id)?;
    let title = match asked.title {
        None => None,
        Some(title) => Some(accepted(visitor, title).await?),
    };
    if !chat.exists().await? {
        return Err(Failure::not_found());
    }
    if let Some(title) = &title {
        save(&chat, title).await?;
    }
    // Asked again after it was saved, so that no title outlives a chat that is deleted meanwhile.
    let exists = title.is_none() || chat.exists().await?;
    if title.is_none() || !exists {
        unless_gone(chat.store().delete_conversation(&chat.title()).await)?;
    }
    if !exists {
        return Err(Failure::not_found());
    }
    json::json(&Renamed { id, title })
}

/// A title that may be stored: the checks of the application see it as they see a message.
async fn accepted(visitor: &Visitor, title: String) -> Result<String, Failure> {
    let checked = visitor.runner.check_input(title).await;
    if let Some(reply) = checked.refusal() {
        return Err(Failure::new(
            StatusCode::BAD_REQUEST,
            "refused_input",
            reply,
        ));
    }
    let title = text_of(&checked.parts).trim().to_owned();
    let length = title.chars().count();
    if !(1..=TITLE).contains(&length) || visible_line(&title) != title {
        let message =
            format!("a title has 1 to {TITLE} characters, each of which can be seen, in one line");
        return Err(Failure::bad_request(message));
    }
    Ok(title)
}

/// Stores a title as the system text of a conversation of its own: that of the chat is locked by its runs.
async fn save(chat: &Chat<'_>, title: &str) -> Result<(), Failure> {
    let id = chat.title();
    let versions = chat.store().conversation(&id, None).await?;
    let before = ConversationVersion::join(&versions)?;
    let next = versions.last().map_or(0, |version| version.version) + 1;
    let titled = Conversation::new().with_system(title);
    let version = ConversationVersion::following(&before, next, &titled)?;
    chat.store().save_conversation(&id, &version).await?;
    Ok(())
}

/// The title of a chat without what redaction hides, which was not hidden in what was said.
pub(super) async fn of(chat: &Chat<'_>, shown: &[RunSummary]) -> Result<String, Failure> {
    let versions = chat.store().conversation(&chat.title(), None).await?;
    let given = ConversationVersion::join(&versions)?;
    let title = if let Some(title) = given.system() {
        title.to_owned()
    } else {
        let question = first_question(chat, shown).await?;
        question.map_or_else(String::new, |question| text_of(&question.parts))
    };
    // Before it is cut: half of a secret is not found.
    let redacted = chat.runner().dispatch_options().calls.redact(&title);
    Ok(redacted.chars().take(TITLE).collect())
}

/// The first question of a chat that can be read.
async fn first_question(
    chat: &Chat<'_>,
    shown: &[RunSummary],
) -> Result<Option<UserMessage>, Failure> {
    for run in shown {
        let id = &run.info.run_id;
        if let Some(loaded) = unless_damaged(unless_gone(chat.store().load(id, 0).await))?.flatten()
            && let Some(question) = unless_damaged(log::question(id, &loaded))?
        {
            return Ok(Some(question));
        }
    }
    Ok(None)
}
