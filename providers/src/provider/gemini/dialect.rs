//! The protocol as one server speaks it.

use std::sync::Arc;

use super::protocol::GenerateContent;
use crate::{profile::Profile, provider::dialect::dialect};

/// The protocol as one server speaks it: what it takes of a schema, and in which field.
///
/// [`default`](Self::default) sends JSON Schema in `parametersJsonSchema`, which Gemini takes from 2.5
/// on, and which the functions of [this module](super) speak. With a [`Profile`] all tools are sent in
/// the form of that profile, and their arguments come back as the tools take them: with
/// [`Profile::gemini`], the subset of `OpenAPI`, they are sent in `parameters`, with any other in
/// `parametersJsonSchema`. The profile alone decides what is strict: what a tool says of it does not
/// count. A tool that the profile refuses is sent in the profile's fallback, or else as it is, and
/// every reply says so with the warning `not_in_profile`.
///
/// Cheap to clone. Tools are rendered once for a set and a profile, whichever dialect has it.
///
/// ```
/// use toolwright::{Toolset, profile::Profile, provider::gemini::Dialect};
///
/// let dialect = Dialect::new(Profile::gemini());
/// assert_eq!(dialect.tools(&Toolset::new()).to_value(), serde_json::json!([]));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Dialect {
    profile: Option<Arc<Profile>>,
}

dialect!(Dialect, GenerateContent);
