//! The protocol as one server speaks it.

use std::sync::Arc;

use super::protocol::Chat;
use crate::{profile::Profile, provider::dialect::dialect};

/// The protocol as one server speaks it: what it takes of a schema.
///
/// [`default`](Self::default) is that of Ollama, which the functions of [this module](super) speak. With
/// a [`Profile`] all tools are sent in the form of that profile, and their arguments come back as the
/// tools take them: for a server that reads more of a schema, or for a model that does better with
/// another form. A tool that the profile refuses is sent in the profile's fallback, or else as it is, and
/// every reply says so with the warning `not_in_profile`.
///
/// Cheap to clone. Tools are rendered once for a set and a profile, whichever dialect has it.
///
/// ```
/// use toolwright::{Toolset, profile::Profile, provider::ollama::Dialect};
///
/// let dialect = Dialect::new(Profile::portable());
/// assert_eq!(dialect.tools(&Toolset::new()).to_value(), serde_json::json!([]));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Dialect {
    profile: Option<Arc<Profile>>,
}

dialect!(Dialect, Chat);
