//! A case, and the report of many.

use std::{any::Any, future::Future, panic::AssertUnwindSafe, pin::Pin, sync::Arc, time::Duration};

use futures_util::FutureExt;

use toolwright::store::Store;

/// A store that holds nothing when a case begins.
pub(super) type Shared = Arc<dyn Store>;

/// A case: it panics when it fails.
pub(super) type Case = fn(Shared) -> Pin<Box<dyn Future<Output = ()>>>;

/// The time after which a case hangs.
const HANGS: Duration = Duration::from_secs(120);

/// Cases by the paths of their functions, which are their names.
macro_rules! cases {
    ($($module:ident :: $case:ident),* $(,)?) => {
        vec![$((
            concat!(stringify!($module), "::", stringify!($case)),
            (|store| Box::pin($module::$case(store))) as Case,
        )),*]
    };
}
pub(super) use cases;

/// The cases that failed.
#[derive(Default)]
pub(super) struct Report {
    ran: usize,
    failed: Vec<String>,
}

impl Report {
    pub(super) async fn run(&mut self, name: &str, case: impl Future<Output = ()>) {
        self.ran += 1;
        let case = tokio::time::timeout(HANGS, AssertUnwindSafe(case).catch_unwind());
        let why = match case.await {
            Ok(Ok(())) => return,
            Ok(Err(panic)) => text(panic),
            Err(_) => format!("it was not done after {} seconds", HANGS.as_secs()),
        };
        self.failed.push(format!("{name}: {why}"));
    }

    pub(super) fn finish(self) {
        assert!(
            self.failed.is_empty(),
            "{} of {} cases of the store failed:\n{}",
            self.failed.len(),
            self.ran,
            self.failed.join("\n")
        );
    }
}

fn text(panic: Box<dyn Any + Send>) -> String {
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => match panic.downcast::<&str>() {
            Ok(text) => (*text).to_owned(),
            Err(_) => "a panic without a message".to_owned(),
        },
    }
}
