//! How the calls of a tool are guarded, bounded and run.

use std::time::Duration;

use proc_macro2::Ident;
use syn::Path;

/// How the calls of a tool are guarded, bounded and run; what is not given is not said.
#[derive(Default)]
pub(crate) struct Policy {
    pub(crate) timeout: Option<Given<Duration>>,
    pub(crate) retries: Option<Given<u32>>,
    pub(crate) rate_limit: Option<Rate>,
    pub(crate) requires: Vec<Capability>,
    pub(crate) approval: Option<Ident>,
    pub(crate) sequential: Option<Ident>,
    /// In bytes.
    pub(crate) max_output: Option<u32>,
    pub(crate) polls: Option<Ident>,
    pub(crate) spawn: Option<Ident>,
    /// Whether a function that is not async is run where it is polled. It is no part of what the
    /// program is told: the call itself says so.
    pub(crate) inline: Option<Ident>,
}

impl Policy {
    /// Whether the program is told something of it.
    pub(crate) fn is_given(&self) -> bool {
        let words = [&self.approval, &self.sequential, &self.polls, &self.spawn];
        self.timeout.is_some()
            || self.retries.is_some()
            || self.rate_limit.is_some()
            || !self.requires.is_empty()
            || self.max_output.is_some()
            || words.into_iter().any(Option::is_some)
    }
}

/// A value, and the key that gives it.
pub(crate) struct Given<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
}

/// How often calls may start.
pub(crate) struct Rate {
    pub(crate) calls: u32,
    pub(crate) per: Period,
    /// Whether a call that comes too early fails; else it waits.
    pub(crate) fails: bool,
}

/// A stretch of time in which so many calls may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Period {
    Second,
    Minute,
    Hour,
}

/// What the application has to grant.
pub(crate) enum Capability {
    /// One that has a name here.
    Named(Named),
    /// A constant of somebody's own.
    Own(Path),
}

/// A capability that has a name here.
#[derive(Clone, Copy)]
pub(crate) enum Named {
    Network,
    Filesystem,
    Database,
    Shell,
}

impl Named {
    pub(crate) const ALL: [Self; 4] =
        [Self::Network, Self::Filesystem, Self::Database, Self::Shell];

    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::Filesystem => "filesystem",
            Self::Database => "database",
            Self::Shell => "shell",
        }
    }
}
