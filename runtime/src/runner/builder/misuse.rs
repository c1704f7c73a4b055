//! Uses of a builder that do not compile, with what to write instead.

use std::future::Ready;

use super::RunnerBuilder;
use crate::runner::{
    RunHandle,
    misuse::{HandOver, Rounds, System, Temperature, Tokens, Unbuilt},
};
use toolwright_core::{
    Toolset,
    run::{RunError, RunOutcome},
};

/// The tools of a runner: a [`Toolset`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no `Toolset`",
    label = "a runner takes its tools as a `Toolset`",
    note = "write `toolset![find]` for functions and structs, `shop.into_tools()` for a value with `#[tools]`, and `?` behind a `Result`"
)]
pub trait IntoToolset: sealed::Sealed {
    /// The tools.
    #[doc(hidden)]
    fn into_toolset(self) -> Toolset;
}

impl IntoToolset for Toolset {
    fn into_toolset(self) -> Toolset {
        self
    }
}

mod sealed {
    pub trait Sealed {}

    impl Sealed for toolwright_core::Toolset {}
}

/// Methods that do not compile.
#[doc(hidden)]
impl RunnerBuilder {
    pub fn run<Q: Unbuilt>(self, _: Q) -> Ready<Result<RunOutcome, RunError>> {
        unreachable!("no argument fits")
    }

    pub fn start<Q: Unbuilt>(self, _: Q) -> RunHandle {
        unreachable!("no argument fits")
    }

    pub fn preamble<Q: System>(self, _: Q) -> Self {
        self
    }

    pub fn instructions<Q: System>(self, _: Q) -> Self {
        self
    }

    pub fn max_turns<Q: Rounds>(self, _: Q) -> Self {
        self
    }

    pub fn multi_turn<Q: Rounds>(self, _: Q) -> Self {
        self
    }

    pub fn temperature<Q: Temperature>(self, _: Q) -> Self {
        self
    }

    pub fn max_tokens<Q: Tokens>(self, _: Q) -> Self {
        self
    }

    pub fn handoff<Q: HandOver>(self, _: Q) -> Self {
        self
    }

    pub fn handoffs<Q: HandOver>(self, _: Q) -> Self {
        self
    }
}
