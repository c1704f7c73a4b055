//! The store from outside, in a real PostgreSQL: the one of `TOOLWRIGHT_POSTGRES_URL`, or one that is started for these
//! tests. Without one they are reported as ignored.
#![allow(
    clippy::unwrap_used,
    reason = "these are tests, which clippy tells by an attribute that they do not have"
)]

#[path = "../../../../tests/integration/postgres_server.rs"]
mod postgres_server;

mod database;
mod suite;

use std::{
    io::{self, Write},
    process::ExitCode,
    sync::{Arc, OnceLock},
};

use libtest_mimic::{Arguments, Trial};

use database::Database;

/// A test, with a schema of its own.
type Test = (&'static str, fn(Arc<Database>));

/// Tests by the paths of their functions, which are their names.
macro_rules! tests {
    ($($module:ident :: $test:ident),* $(,)?) => {
        vec![$((
            concat!(stringify!($module), "::", stringify!($test)),
            (|database| $crate::run($module::$test(database))) as fn(Arc<Database>),
        )),*]
    };
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let tests: Vec<Test> = tests![suite::a_database_is_a_store,];
    let source = postgres_server::source();
    if source.is_none() {
        let _ = writeln!(io::stderr(), "{}", postgres_server::IGNORED);
    }
    let server = Arc::new(OnceLock::new());
    let trials = tests.into_iter().map(|(name, test)| {
        let (source, server) = (source.clone(), Arc::clone(&server));
        let is_ignored = source.is_none();
        let test = move || {
            let source = source.ok_or(postgres_server::IGNORED)?;
            test(Arc::new(Database::new(&source, &server)));
            Ok(())
        };
        Trial::test(name, test).with_ignored_flag(is_ignored)
    });
    let conclusion = libtest_mimic::run(&arguments, trials.collect());
    // It ends with the last who holds it.
    drop(server);
    conclusion.exit_code()
}

/// Runs a test with several threads.
fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("threads can be started");
    runtime.block_on(test);
}
