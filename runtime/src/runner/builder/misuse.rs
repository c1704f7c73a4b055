//! Uses of a builder that do not compile, with what to write instead.

use toolwright_core::Toolset;

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

/// A question that a builder answers. There is none.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a `RunnerBuilder` does not run",
    label = "the runner is not built",
    note = "write `.build()?` before it: `Runner::builder(model).build()?.run(\"…\").await`"
)]
pub trait RunsUnbuilt: sealed::Sealed {}

mod sealed {
    pub trait Sealed {}

    impl Sealed for toolwright_core::Toolset {}
}
