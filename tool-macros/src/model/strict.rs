//! Rules that a tool requests in addition to those for all tools.

use syn::LitStr;

/// The rules that a tool requests in addition to those for all tools.
#[derive(Default)]
pub(crate) struct Asked {
    /// The profile whose rules the tool follows, so that a provider can enforce its schema.
    pub(crate) strict: Option<Strict>,
    /// The maximum number of levels of its arguments.
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

    /// Returns the name of the profile.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Portable => "portable",
        }
    }
}
