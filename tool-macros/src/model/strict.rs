//! What a tool asks for beyond the rules for all.

use syn::LitStr;

/// What a tool asks for beyond the rules for all.
#[derive(Default)]
pub(crate) struct Asked {
    /// Whose rules it follows, so that a provider can enforce its schema.
    pub(crate) strict: Option<Strict>,
    /// How many levels its arguments may have.
    pub(crate) max_depth: Option<u16>,
}

/// The value of `strict`, and where it stands.
pub(crate) struct Strict {
    pub(crate) profile: Profile,
    pub(crate) literal: LitStr,
}

/// A set of rules that providers enforce schemas by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    OpenAi,
    Anthropic,
    Portable,
}

impl Profile {
    pub(crate) const ALL: [Self; 3] = [Self::OpenAi, Self::Anthropic, Self::Portable];

    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Portable => "portable",
        }
    }
}
