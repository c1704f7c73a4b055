//! The choice between comparing and writing the file.

use std::{env, ffi::OsStr};

/// The mode of [`PromptLock::check`](super::PromptLock::check): it compares or writes the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Update {
    /// It compares.
    Compare,
    /// It compares, although writing was requested: in CI it never writes.
    NeverInCi,
    /// It writes, if the text is another.
    Write,
}

impl Update {
    /// The environment variable that requests it.
    pub const VARIABLE: &str = "TOOLWRIGHT_UPDATE";

    /// Reads the mode from the environment: it is to write if [`VARIABLE`](Self::VARIABLE) is set and neither empty
    /// nor `0`, but never where `CI` is set in the same way.
    pub fn from_env() -> Self {
        Self::asked_by(Self::VARIABLE)
    }

    /// Reads the mode from a variable of the environment.
    #[doc(hidden)]
    pub fn asked_by(variable: &str) -> Self {
        let set = |name| env::var_os(name).as_deref().is_some_and(means_yes);
        match (set(variable), set("CI")) {
            (false, _) => Self::Compare,
            (true, true) => Self::NeverInCi,
            (true, false) => Self::Write,
        }
    }
}

fn means_yes(value: &OsStr) -> bool {
    !value.is_empty() && value != "0" && value != "false"
}
