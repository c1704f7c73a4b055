//! The store from outside, in a real PostgreSQL: the one of `TOOLWRIGHT_POSTGRES_URL`, or one that is started for these
//! tests. Without one they are reported as ignored.
#![allow(
    clippy::unwrap_used,
    reason = "these are tests, which clippy tells by an attribute that they do not have"
)]

#[path = "../../../../tests/support/postgres_server.rs"]
mod postgres_server;

#[path = "../../../../tests/stores/damaged.rs"]
mod damaged;
#[path = "../../../../tests/support/exhaustive.rs"]
#[allow(dead_code, reason = "shares of cases are for other tests")]
mod exhaustive;
#[path = "../../../../tests/stores/golden.rs"]
mod golden;
#[path = "../../../../tests/stores/sample.rs"]
mod sample;
#[path = "../../../../tests/stores/waits.rs"]
mod waits;

mod database;
mod golden_script;
mod holders;
mod lost;
mod opening;
mod suite;
mod synced;
mod two_stores;
mod waiting;

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
    let mut tests: Vec<Test> = tests![
        golden_script::version_1_is_read,
        golden_script::version_1_has_the_tables_that_are_made_today,
        opening::many_open_a_new_schema_at_once,
        opening::an_empty_schema_is_used,
        opening::a_newer_version_is_refused,
        opening::tables_of_another_program_are_refused,
        opening::a_database_of_another_encoding_is_refused,
        opening::a_database_that_is_read_only_is_refused,
        opening::a_server_that_is_not_there_is_told,
        opening::a_name_that_is_none_is_refused,
        opening::a_record_that_is_missing_is_named,
        opening::a_damaged_run_is_listed_beside_the_others,
        opening::tables_that_are_gone_are_told,
        holders::a_run_of_a_process_that_is_gone_is_free_at_once,
        holders::a_process_that_loses_its_session_keeps_its_runs,
        holders::a_session_that_is_lost_takes_no_run_twice,
        lost::a_connection_that_is_cut_in_the_middle_is_told,
        lost::connections_that_were_cut_are_made_anew,
        lost::nobody_waits_for_a_lock_for_ever,
        lost::a_process_that_is_stopped_in_a_transaction_loses_nothing_of_others,
        lost::a_change_that_was_dropped_holds_nobody_up,
        lost::operations_share_few_connections,
        lost::a_store_outlives_its_runtime,
        suite::a_database_is_a_store,
        synced::a_change_is_flushed_where_it_must_survive_a_loss_of_power,
        two_stores::an_append_that_comes_after_a_lease_is_refused,
        two_stores::a_lease_ends_by_the_clock_of_the_database,
        two_stores::a_conversation_that_was_taken_meanwhile_is_busy,
        two_stores::an_append_that_waited_is_whole,
        waiting::an_item_of_the_same_store_ends_the_wait,
        waiting::an_item_of_another_store_ends_the_wait,
        waiting::an_item_that_nobody_tells_of_is_found,
        waiting::a_wait_survives_the_connection_that_listens,
        waiting::nobody_waits_for_a_run_that_is_not_there,
        waiting::nobody_waits_for_a_run_that_is_over,
    ];
    // It changes the repository.
    tests.extend::<Vec<Test>>(tests![golden_script::write_the_golden_script]);
    let source = postgres_server::source();
    if source.is_none() {
        let _ = writeln!(io::stderr(), "{}", postgres_server::IGNORED);
    }
    let server = Arc::new(OnceLock::new());
    let trials = tests.into_iter().map(|(name, test)| {
        let (source, server) = (source.clone(), Arc::clone(&server));
        let is_ignored = source.is_none() || name.ends_with("write_the_golden_script");
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
