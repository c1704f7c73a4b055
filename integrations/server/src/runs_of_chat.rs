//! The runs of a chat: they have its id as a label, and each one names the run before it.

use std::collections::HashMap;

use toolwright_core::{run::RunId, visible_line};
use toolwright_runtime::{
    Runner,
    store::{ConversationId, RunSummary, TimedStore},
};

use crate::{app::App, caller::Visitor, failure::Failure};

/// The label with the id of the chat.
pub(crate) const CHAT: &str = "chat";
/// The label with the id of the run before, whose conversation a run continues.
pub(crate) const AFTER: &str = "after";
/// The label with the id that the client gave the question.
pub(crate) const MESSAGE: &str = "message";

/// The label with the digest of the question as the client sent it: a check may change what is stored of it, and not in the
/// same way twice.
pub(crate) const DIGEST: &str = "digest";

/// The label with the id of the run whose question is asked again.
pub(crate) const AGAIN: &str = "again";

/// The longest id of a chat or of a message, in bytes.
const ID_BYTES: usize = 256;

/// Why a client may not give an id.
pub(crate) const NO_ID: &str = "must have 1 to 256 bytes, each character one that can be seen";

/// The runs that are looked at for the newest one. Machines whose clocks differ write another order than the true one.
const NEWEST: usize = 16;

/// The most pages of a list that are read for one request.
const PAGES: usize = 100;

/// A chat of a visitor.
pub(crate) struct Chat<'a> {
    app: &'a App,
    visitor: &'a Visitor,
    id: String,
    conversation: ConversationId,
}

impl<'a> Chat<'a> {
    pub(crate) fn new(app: &'a App, visitor: &'a Visitor, id: &str) -> Result<Self, Failure> {
        if !is_id(id) {
            return Err(Failure::bad_request(format!("the id of the chat {NO_ID}")));
        }
        Ok(Self {
            app,
            visitor,
            id: id.to_owned(),
            conversation: conversation_of(visitor.owner.as_deref(), id),
        })
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn app(&self) -> &App {
        self.app
    }

    pub(crate) fn visitor(&self) -> &Visitor {
        self.visitor
    }

    /// The runner of the visitor.
    pub(crate) fn runner(&self) -> &Runner {
        &self.visitor.runner
    }

    /// The store, as the visitor sees it.
    pub(crate) fn store(&self) -> &TimedStore {
        &self.visitor.store
    }

    /// Its conversation in the store.
    pub(crate) fn conversation(&self) -> &ConversationId {
        &self.conversation
    }

    /// The conversation that has its title.
    pub(crate) fn title(&self) -> ConversationId {
        // No owner is written so.
        ConversationId::new(format!("title:{}", self.conversation))
    }

    /// Returns true if there is one.
    pub(crate) async fn exists(&self) -> Result<bool, Failure> {
        if self.newest().await?.is_some() {
            return Ok(true);
        }
        let versions = self.store().conversation(&self.conversation, Some(1));
        Ok(!versions.await?.is_empty())
    }

    /// All its runs.
    pub(crate) async fn all(&self) -> Result<Vec<RunSummary>, Failure> {
        self.runs(self.app.limits.page, |_| false).await
    }

    /// Its newest run.
    pub(crate) async fn newest(&self) -> Result<Option<RunSummary>, Failure> {
        let runs = self.runs(NEWEST, |found| !found.is_empty()).await?;
        Ok(newest_of(runs))
    }

    /// The runs that it shows, oldest first. A run whose question was asked again, and those after it, are left out.
    pub(crate) async fn shown(&self) -> Result<Vec<RunSummary>, Failure> {
        let runs = self.all().await?;
        let Some(newest) = newest_of(runs.clone()) else {
            return Ok(Vec::new());
        };
        let mut by_id: HashMap<RunId, RunSummary> = runs
            .into_iter()
            .map(|run| (run.info.run_id.clone(), run))
            .collect();
        let mut shown = Vec::new();
        let mut next = Some(newest.info.run_id);
        // Each is taken out, so that a circle ends.
        while let Some(run) = next.and_then(|id| by_id.remove(&id)) {
            next = run.info.labels.get(AFTER).map(RunId::new);
            shown.push(run);
        }
        shown.reverse();
        Ok(shown)
    }

    /// Its runs, the newest first, until there are enough.
    async fn runs(
        &self,
        limit: usize,
        is_enough: impl Fn(&[RunSummary]) -> bool,
    ) -> Result<Vec<RunSummary>, Failure> {
        let mut filter = self.app.filter();
        filter.labels.insert(CHAT.to_owned(), self.id.clone());
        filter.limit = limit;
        let mut found = Vec::new();
        for _ in 0..PAGES {
            let page = self.store().list(&filter).await?;
            let mut runs = self.app.shown(self.visitor, page.items);
            runs.retain(|run| {
                let conversation = run.info.conversation.as_ref();
                conversation.is_some_and(|it| it.id == self.conversation)
            });
            found.append(&mut runs);
            match page.next {
                Some(next) if !is_enough(&found) => filter.after = Some(next),
                _ => break,
            }
        }
        Ok(found)
    }
}

/// The one that continues the newest version of the conversation.
fn newest_of(runs: Vec<RunSummary>) -> Option<RunSummary> {
    let version = |run: &RunSummary| run.info.conversation.as_ref().map(|it| it.version);
    runs.into_iter()
        .max_by_key(|run| (version(run), run.info.created))
}

/// Returns true if a client may give this id. It becomes a label, which people read.
pub(crate) fn is_id(id: &str) -> bool {
    (1..=ID_BYTES).contains(&id.len()) && visible_line(id) == id
}

/// The conversation of a chat. Chats of different owners never share one, whatever their ids.
pub(crate) fn conversation_of(owner: Option<&str>, chat: &str) -> ConversationId {
    let mut id = String::new();
    match owner {
        // No owner is written so.
        None => id.push('*'),
        Some(owner) => {
            for byte in owner.bytes() {
                if byte.is_ascii_alphanumeric() || b"-_.@".contains(&byte) {
                    id.push(char::from(byte));
                } else {
                    let digit = |digit: u8| char::from(b"0123456789ABCDEF"[usize::from(digit)]);
                    id.extend(['%', digit(byte >> 4), digit(byte & 15)]);
                }
            }
        }
    }
    id.push('/');
    id += chat;
    ConversationId::new(id)
}

#[cfg(test)]
mod tests {
    use super::conversation_of;

    #[test]
    fn no_owner_gets_into_the_conversations_of_another() {
        let of = |owner, chat| conversation_of(owner, chat).as_str().to_owned();
        assert_eq!(of(Some("ada"), "1"), "ada/1");
        assert_eq!(of(None, "1"), "*/1");
        assert_eq!(of(Some("*"), "1"), "%2A/1");
        assert_eq!(of(Some("ada/1"), "2"), "ada%2F1/2");
        assert_ne!(of(Some("a"), "b/c"), of(Some("a/b"), "c"));
        assert_ne!(of(Some("%2F"), "1"), of(Some("/"), "1"));
    }
}
