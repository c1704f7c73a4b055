//! The enforcement of a tool's schema by a provider.

use serde::{Deserialize, Serialize};

/// The rules that a tool follows so that a provider can enforce its schema. They are those of the
/// profile `Profile::of` it. A declared tool is checked against them when it is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Strict {
    /// The rules of OpenAI: `"openai"`.
    OpenAi,
    /// The rules of Anthropic: `"anthropic"`.
    Anthropic,
    /// Those that every provider has in common: `"portable"`.
    Portable,
}

impl Strict {
    /// The word for it, as the key `strict` of `#[tool(…)]` has it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Portable => "portable",
        }
    }
}
