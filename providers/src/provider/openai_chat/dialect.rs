//! The protocol of one server.

use std::sync::Arc;

use toolwright_runtime::model::{ModelRequest, Warning};

use super::{Vendor, protocol::ChatCompletions, settings::Settings};
use crate::{codec::quirks::Quirks, profile::Profile, provider::dialect::dialect};

/// The protocol of one server: its rules for schemas, and its differences from OpenAI's protocol.
///
/// [`default`](Self::default) is that of OpenAI, which the functions of [this module](super) speak. With
/// a [`Profile`] all tools are sent in the form of that profile, and their arguments come back in
/// the form of the tools. The profile alone decides which tools are strict: the setting of a tool does not
/// count. A tool that the profile refuses is sent in the profile's fallback, or else unchanged, and every reply
/// has the warning `not_in_profile`.
///
/// Cheap to clone. Tools are rendered once for a set and a profile, whichever dialect has it.
///
/// ```
/// use toolwright::{Toolset, profile::Profile, provider::openai_chat::Dialect};
///
/// let dialect = Dialect::new(Profile::ollama());
/// assert_eq!(dialect.tools(&Toolset::new()).to_value(), serde_json::json!([]));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Dialect {
    profile: Option<Arc<Profile>>,
    quirks: Quirks,
}

impl Dialect {
    /// Creates the dialect of a vendor.
    pub fn of(vendor: Vendor) -> Self {
        Self {
            profile: vendor.profile().map(Arc::new),
            quirks: vendor.quirks(),
        }
    }

    /// Returns warnings about the parts of a request that the server does not support, and about what is done
    /// instead. The model of the feature `http` adds them to its replies.
    pub fn warnings(&self, request: &ModelRequest) -> Vec<Warning> {
        Settings::of(request, &self.quirks).warnings
    }
}

dialect!(Dialect, ChatCompletions, quirks);
