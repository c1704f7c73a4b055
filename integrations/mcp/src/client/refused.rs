//! What is wrong with what servers have on offer.

use toolwright_core::{DefinitionError, ToolsetError};

use super::ClientError;

/// The largest size of the texts of a tool, in bytes.
pub(crate) const MAX_TEXTS: usize = 64 << 10;

/// A definition, or a whole server, that cannot be used.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// The definition breaks a rule.
    #[error(transparent)]
    Definition(#[from] DefinitionError),
    /// Another tool has the name.
    #[error(transparent)]
    Set(#[from] ToolsetError),
    /// The name, title and description of a tool are longer than 64 KiB together.
    #[error(
        "tool `{tool}`: its texts have {bytes} bytes, at most {MAX_TEXTS} are shown to a model"
    )]
    Texts {
        /// The name of the tool, up to 100 characters.
        tool: String,
        /// Their size.
        bytes: usize,
    },
    /// The list has more than 10,000 tools or 64 MiB. What comes after that is not read.
    #[error(
        "the list of the server is too long: what comes after 10,000 tools, or 64 MiB, is left out"
    )]
    TooMany,
    /// The pages of the list have no end: a cursor came twice, or there are more than 1,000.
    #[error("the pages of the server's list do not end: what comes after them is left out")]
    Endless,
    /// The server is not reached.
    #[error("server `{server}`: {error}")]
    Server {
        /// Its name.
        server: String,
        /// What is wrong.
        error: ClientError,
    },
}
