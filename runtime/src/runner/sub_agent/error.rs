//! What a runner that is to be a tool cannot be.

use std::fmt;

/// The characters that a description may have.
const DESCRIPTION: std::ops::RangeInclusive<usize> = 10..=500;

/// The most characters of a name.
const NAME: usize = 64;

/// A runner cannot be a tool so.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SubAgentError {
    /// The name breaks the rules of declared tools.
    #[error(
        "invalid tool name `{name}`: write snake_case, of `a` to `z`, digits and `_`, starting with a letter, 1 to {NAME} characters"
    )]
    Name {
        /// The name.
        name: String,
    },
    /// The description is too short or too long.
    #[error(
        "the description of `{name}` has {chars} characters, {} to {} are needed: tell the model what the agent does and when to call it",
        DESCRIPTION.start(), DESCRIPTION.end()
    )]
    Description {
        /// The name of the tool.
        name: String,
        /// The number of characters.
        chars: usize,
    },
    /// The type of the arguments is not an object with known keys.
    #[error(
        "the arguments of `{name}` are not an object with known keys: use a struct with named fields"
    )]
    InputNoObject {
        /// The name of the tool.
        name: String,
    },
}

/// The text, which says what to do: `main` prints an error so.
impl fmt::Debug for SubAgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Checks the texts of a tool by the rules of declared ones.
pub(super) fn check(name: &str, description: &str) -> Result<(), SubAgentError> {
    let name = name.to_owned();
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    let is_name = name.len() <= NAME
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(is_part);
    let chars = description.trim().chars().count();
    if !is_name {
        Err(SubAgentError::Name { name })
    } else if !DESCRIPTION.contains(&chars) {
        Err(SubAgentError::Description { name, chars })
    } else {
        Ok(())
    }
}
