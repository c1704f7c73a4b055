//! A short name for the definition of a tool, as a model receives it.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest, Sha256};

use super::ToolDefinition;

/// The prefix of the first version, as text.
const VERSION: &str = "v1:";

/// A short name for the definition of a tool, as a model receives it: its name, its description, its schema,
/// and the rules of [`Strict`](super::Strict) that the schema is sent by.
///
/// A model reads two tools with one fingerprint alike. It is the same on every machine, in every run and in
/// every later version of this crate; should its rule ever change, the text begins with another version.
/// Store it with an approval, to check that the tool that runs is the one that was approved. It also shows
/// that an external server changed a tool.
///
/// White space in the schema does not count, nor whether a character is escaped. The order does,
/// because a model reads it. What a model does not read (title, hints, the schema of the output) does
/// not count.
///
/// It is SHA-256, because an author of tools may try to make two with one fingerprint.
///
/// As text, and for serde, it is `v1:` and 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint([u8; 32]);

impl ToolDefinition {
    /// Returns a short name for the definition of the tool, as a model receives it.
    ///
    /// The name counts. A foreign tool that is renamed ([`DynamicTool::foreign`](crate::DynamicTool::foreign))
    /// has another fingerprint than the definition that was listed: compare listed ones with listed
    /// ones, and shown ones with shown ones.
    ///
    /// ```
    /// use toolwright::{ToolDefinition, schema::Schema, tool::Fingerprint};
    ///
    /// let schema = Schema::from_text(r#"{"type": "object"}"#)?;
    /// let ping = ToolDefinition::new("ping", "Answers with pong.", schema);
    /// let approved = ping.fingerprint().to_string();
    ///
    /// let spaced = Schema::from_text("{\n  \"type\": \"object\"\n}")?;
    /// let again = ToolDefinition::new("ping", "Answers with pong.", spaced);
    /// assert_eq!(approved.parse::<Fingerprint>()?, again.fingerprint());
    ///
    /// let schema = Schema::from_text(r#"{"type": "object"}"#)?;
    /// let other = ToolDefinition::new("ping", "Sends all your files.", schema);
    /// assert_ne!(other.fingerprint(), again.fingerprint());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hash = Sha256::new();
        hash.update(b"toolwright tool v1\n");
        let schema = self.input_schema.to_compact();
        for part in [&*self.name, &*self.description, &schema] {
            // The length goes before, so that no text can pass for two.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        // A strict tool is sent in another form.
        if let Some(rules) = self.strict {
            hash.update(format!("strict {}", rules.as_str()));
        }
        Fingerprint(hash.finalize().into())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(VERSION)?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

impl FromStr for Fingerprint {
    type Err = FingerprintError;

    fn from_str(text: &str) -> Result<Self, FingerprintError> {
        let digits = text.strip_prefix(VERSION).ok_or(FingerprintError)?;
        let mut bytes = [0; 32];
        if digits.len() != 2 * bytes.len() {
            return Err(FingerprintError);
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.as_bytes().chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Self(bytes))
    }
}

/// The value of a digit. Only small letters are written, so that a fingerprint has one text.
fn digit(digit: u8) -> Result<u8, FingerprintError> {
    match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        _ => Err(FingerprintError),
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

/// A string that is not a [`Fingerprint`], or one of a later version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid fingerprint of a tool: write `v1:` and 64 hexadecimal digits in lower case")]
pub struct FingerprintError;

#[cfg(test)]
mod tests;
