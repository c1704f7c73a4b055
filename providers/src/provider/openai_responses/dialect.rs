//! The protocol of one server.

use std::sync::Arc;

use super::protocol::Responses;
use crate::{codec::quirks::Quirks, profile::Profile, provider::dialect::dialect};

/// The protocol of one server, with its rules for schemas.
///
/// [`default`](Self::default) is that of OpenAI, which the functions of [this module](super) speak. With
/// a [`Profile`] all tools are sent in the form of that profile, and their arguments come back in
/// the form of the tools. The profile alone decides which tools are strict: the setting of a tool does not
/// count. A tool that the profile refuses is sent in the profile's fallback, or else unchanged, and every reply
/// has the warning `not_in_profile`. A schema is always sent: the API takes no tool without.
///
/// Cheap to clone. Tools are rendered once for a set and a profile, whichever dialect has it.
///
/// ```
/// use toolwright::{Toolset, profile::Profile, provider::openai_responses::Dialect};
///
/// let dialect = Dialect::new(Profile::grammar());
/// assert_eq!(dialect.tools(&Toolset::new()).to_value(), serde_json::json!([]));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Dialect {
    profile: Option<Arc<Profile>>,
    quirks: Quirks,
}

impl Dialect {
    /// Sends reasoning back at the position where it came, also after a message or a call.
    ///
    /// OpenAI refuses reasoning that nothing follows, so that it is left out unless this is set.
    /// OpenRouter sends that of some vendors' models last, and takes it back so.
    pub fn with_reasoning_last(mut self) -> Self {
        self.quirks.reasoning_last = true;
        self
    }
}

dialect!(Dialect, Responses, quirks);
