//! Policy of a tool: it guards and bounds the calls, and says how they run.

use std::time::Duration;

use proc_macro2::Ident;
use syn::Path;

/// The policy of a tool, which guards and bounds its calls and says how they run. An absent part was not given.
#[derive(Default)]
pub(crate) struct Policy {
    pub(crate) timeout: Option<Given<Duration>>,
    pub(crate) retries: Option<Given<u32>>,
    pub(crate) rate_limit: Option<Given<Rate>>,
    pub(crate) requires: Vec<Capability>,
    pub(crate) approval: Option<Ident>,
    pub(crate) sequential: Option<Ident>,
    /// In bytes.
    pub(crate) max_output: Option<u32>,
    pub(crate) polls: Option<Ident>,
    pub(crate) ends_run: Option<Ident>,
    /// Present if the application answers the calls of a struct.
    pub(crate) external: Option<Ident>,
    pub(crate) spawn: Option<Ident>,
    /// Present if a function that is not async runs where it is polled. It is no part of the policy that the program
    /// receives: the generated call itself runs in this way.
    pub(crate) inline: Option<Ident>,
}

impl Policy {
    /// Returns true if the program receives a part of the policy.
    pub(crate) fn is_given(&self) -> bool {
        let words = [
            &self.approval,
            &self.sequential,
            &self.polls,
            &self.ends_run,
            &self.external,
            &self.spawn,
        ];
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

/// The rate at which calls may start.
pub(crate) struct Rate {
    pub(crate) calls: u32,
    pub(crate) per: Period,
    /// True if a call that comes too early fails; false if it waits.
    pub(crate) fails: bool,
}

/// A stretch of time in which so many calls may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Period {
    Second,
    Minute,
    Hour,
}

/// The capability that the application has to grant.
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

    /// Returns the name of the capability.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::Filesystem => "filesystem",
            Self::Database => "database",
            Self::Shell => "shell",
        }
    }
}
