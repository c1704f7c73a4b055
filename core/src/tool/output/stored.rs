//! The stored form of an output: the list of its parts.
//!
//! `ToolOutput` is not `Serialize` by itself: every serialisable type may be returned from a tool as
//! JSON, and this one must not be.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{OutputPart, ToolOutput};

/// An output as it is stored.
pub(crate) struct StoredOutput<'a>(Cow<'a, [OutputPart]>);

impl<'a> From<&'a ToolOutput> for StoredOutput<'a> {
    fn from(output: &'a ToolOutput) -> Self {
        Self(Cow::Borrowed(&output.parts))
    }
}

impl From<StoredOutput<'_>> for ToolOutput {
    fn from(stored: StoredOutput<'_>) -> Self {
        Self {
            parts: stored.0.into_owned(),
        }
    }
}

impl Serialize for StoredOutput<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Part<'a>(&'a OutputPart);
        impl Serialize for Part<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                OutputPart::serialize(self.0, serializer)
            }
        }
        serializer.collect_seq(self.0.iter().map(Part))
    }
}

impl<'de> Deserialize<'de> for StoredOutput<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(|parts| Self(Cow::Owned(parts)))
    }
}

/// For `#[serde(serialize_with = …)]`.
pub(crate) fn serialize<S: Serializer>(
    output: &ToolOutput,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    StoredOutput::from(output).serialize(serializer)
}
