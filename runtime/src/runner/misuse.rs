//! Words of other frameworks, and other methods that do not compile: the errors say what does.

use std::future::Ready;

use super::{RunHandle, Runner};
use toolwright_core::run::{RunError, RunOutcome};

/// Declares arguments that do not exist, each for the methods that share a message.
macro_rules! no_arguments {
    ($($argument:ident: $message:literal, $note:literal;)*) => {$(
        /// An argument of a method that does not compile. There is none.
        #[diagnostic::on_unimplemented(message = $message, label = "no such method", note = $note)]
        pub trait $argument: sealed::Sealed {}
    )*};
}

no_arguments! {
    Unbuilt: "a `RunnerBuilder` does not run", "write `.build()?` before it: `Runner::builder(model).build()?.run(\"…\").await`";
    System: "a `RunnerBuilder` takes this as its system text", "write `.system(\"…\")`";
    Rounds: "a `RunnerBuilder` takes this as the limit of its rounds", "write `.max_rounds(5)`";
    Temperature: "a `RunnerBuilder` takes this in the settings of the model", "write `.settings(ModelSettings::new().with_temperature(0.2))`";
    Tokens: "a `RunnerBuilder` takes this in the settings of the model", "write `.settings(ModelSettings::new().with_max_output_tokens(1024))`";
    HandOver: "a `RunnerBuilder` takes this as an agent", "write `.agent(Agent::new(\"billing\", \"Knows invoices.\", runner))`, once for each";
    Question: "a `Runner` answers by `run`", "write `.run(\"…\").await?`";
    Continued: "a `Runner` answers in a conversation by `request`", "write `.request(\"…\").within(&mut conversation).run().await?`";
    Streamed: "a `Runner` streams by `start`", "write `.start(\"…\")`, whose events are a stream";
}

mod sealed {
    pub trait Sealed {}
}

/// Methods that do not compile.
#[doc(hidden)]
impl Runner {
    pub fn prompt<Q: Question>(&self, _: Q) -> Ready<Result<RunOutcome, RunError>> {
        unreachable!("no argument fits")
    }

    pub fn invoke<Q: Question>(&self, _: Q) -> Ready<Result<RunOutcome, RunError>> {
        unreachable!("no argument fits")
    }

    pub fn chat<Q: Continued, H>(&self, _: Q, _: H) -> Ready<Result<RunOutcome, RunError>> {
        unreachable!("no argument fits")
    }

    pub fn stream<Q: Streamed>(&self, _: Q) -> RunHandle {
        unreachable!("no argument fits")
    }
}
