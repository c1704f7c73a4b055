//! Tests that every store passes, for those who write a [`Store`]. Each sentence of its contract is a case.
//!
//! ```
//! use toolwright::store::MemoryStore;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! // In a program of your own this is a `#[tokio::test]`, with your store.
//! toolwright_store_tests::check(async || MemoryStore::new()).await;
//! # }
//! ```

mod appending;
mod case;
mod concurrent;
mod conversations;
mod creating;
mod dropped;
mod ending;
mod fixture;
mod following;
mod inbox;
mod leases;
mod listing;
mod loading;
mod locks;
mod odd_text;
mod opened;
mod owners;
mod retention;

use std::{future::Future, sync::Arc};

use case::{Case, Report, cases};
use opened::{Anew, InTurn};
use toolwright::store::Store;

/// A place that keeps what its store was given: a folder, a database.
pub trait Place: Send + Sync + 'static {
    /// The store.
    type Store: Store;

    /// Opens the store of this place. It is called often, also while other stores of the place are open.
    fn open(&self) -> impl Future<Output = Self::Store> + Send;
}

/// Every case, by its name.
#[expect(clippy::too_many_lines, reason = "it is one list")]
fn all() -> Vec<(&'static str, Case)> {
    cases![
        creating::a_run_is_there_as_it_was_created,
        creating::an_id_is_taken_once,
        creating::a_run_may_begin_without_entries,
        leases::the_first_token_is_1,
        leases::tokens_grow,
        leases::a_lease_is_held_until_its_time_is_over,
        leases::a_lease_that_is_over_holds_until_somebody_takes_one,
        leases::a_lease_that_is_over_is_not_shown,
        leases::a_lease_is_renewed,
        leases::a_lease_is_given_back,
        leases::an_older_token_is_refused,
        leases::a_token_that_never_was_is_refused,
        leases::a_very_long_time_is_a_time,
        leases::there_is_no_lease_of_no_run,
        appending::entries_are_added_in_order,
        appending::an_entry_out_of_sequence_changes_nothing,
        appending::an_append_without_entries_has_no_place,
        appending::the_place_of_the_inbox_does_not_go_back,
        appending::calls_that_wait_are_kept,
        appending::nothing_waits_of_a_run_that_is_over,
        appending::a_status_is_kept,
        appending::a_status_gives_the_lease_back,
        appending::a_run_is_suspended_with_an_empty_inbox_only,
        appending::nothing_is_appended_to_no_run,
        loading::a_log_is_loaded_from_a_place,
        loading::there_is_nothing_of_no_run,
        loading::a_long_log_is_whole,
        listing::the_newest_run_is_first,
        listing::filters_choose_runs,
        listing::status_and_lease_choose_runs,
        listing::a_run_in_a_list_is_as_it_was_loaded,
        listing::pages_are_the_whole_list,
        listing::pages_stay_right_when_runs_come_and_go,
        listing::runs_of_one_time_are_listed_once,
        inbox::items_come_in_order,
        inbox::every_content_is_kept,
        inbox::an_item_is_put_once,
        inbox::an_item_that_was_taken_is_not_put_again,
        inbox::nothing_is_put_for_a_run_that_is_over,
        inbox::there_is_no_inbox_of_no_run,
        inbox::a_wait_ends_when_an_item_comes,
        inbox::a_wait_ends_when_an_item_is_there,
        inbox::a_wait_ends_with_the_run,
        following::a_wait_ends_when_an_entry_comes,
        following::a_wait_ends_when_the_run_is_not_open,
        following::what_is_there_is_not_waited_for,
        following::nobody_follows_a_run_that_is_not_there,
        conversations::versions_follow_each_other,
        conversations::only_the_next_version_is_saved,
        conversations::versions_are_read_as_a_conversation,
        conversations::a_conversation_keeps_its_owner,
        conversations::those_that_changed_last_are_first,
        conversations::pages_are_all_conversations,
        conversations::a_run_saves_its_conversation,
        conversations::an_outdated_version_changes_nothing_of_a_run,
        conversations::a_conversation_is_deleted,
        locks::a_conversation_is_continued_by_one_run,
        locks::a_conversation_that_is_not_there_is_locked,
        locks::one_of_two_at_once_gets_the_conversation,
        locks::a_run_continues_the_newest_version_only,
        locks::a_run_that_was_refused_is_not_there,
        locks::the_end_of_a_run_frees_its_conversation,
        locks::a_run_that_was_given_up_frees_its_conversation,
        locks::a_run_that_waits_keeps_its_conversation,
        locks::a_locked_conversation_is_neither_saved_nor_deleted,
        owners::a_run_of_another_owner_is_not_there,
        owners::a_run_without_an_owner_is_the_applications,
        owners::an_owner_and_the_application_do_all,
        owners::lists_have_what_is_in_the_scope,
        owners::an_id_of_another_owner_is_no_new_run,
        owners::a_conversation_of_another_owner_is_not_there,
        owners::a_new_conversation_is_that_of_its_run,
        owners::a_conversation_without_an_owner_is_the_applications,
        owners::the_application_continues_a_conversation_of_an_owner,
        ending::a_run_that_is_over_stays_as_it_is,
        ending::giving_a_run_up_stops_its_driver,
        ending::a_run_is_given_up_once,
        ending::a_parked_run_is_given_up,
        ending::only_a_run_that_is_over_is_deleted,
        ending::a_deleted_run_is_gone,
        retention::the_end_of_a_run_has_a_time,
        retention::runs_that_ended_before_a_time_are_deleted,
        retention::conversations_of_before_a_time_are_deleted,
        retention::what_a_run_needs_is_not_deleted,
        retention::what_is_below_a_run_that_is_not_over_is_not_deleted,
        retention::a_run_is_deleted_with_those_below_it,
        retention::a_run_is_there_without_its_conversation,
        retention::all_pages_are_deleted,
        odd_text::any_text_is_an_id_of_a_run,
        odd_text::any_text_is_an_id_of_a_conversation,
        odd_text::any_text_is_an_id_of_an_item,
        odd_text::any_text_is_kept,
        odd_text::any_text_is_looked_for,
        dropped::a_dropped_append_is_whole_or_not_there,
        dropped::a_dropped_beginning_is_whole_or_not_there,
        dropped::what_is_dropped_holds_nobody_up,
        concurrent::drivers_that_take_leases_from_each_other,
        concurrent::drivers_that_wait_for_each_other,
        concurrent::appends_at_once_have_errors_of_their_own,
        concurrent::items_from_everywhere_come_once,
        concurrent::one_of_many_takes_the_lease,
        concurrent::one_of_many_creates_a_run,
    ]
}

/// Tests a store. The closure makes one that holds nothing, for each case anew.
///
/// It takes the clock and the tasks of tokio: call it in a `#[tokio::test]`, without paused time.
///
/// # Panics
///
/// When a case fails: with its name and what was expected, for every case that failed.
pub async fn check<S: Store>(make: impl AsyncFn() -> S) {
    let mut report = Report::default();
    for (name, case) in all() {
        report.run(name, case(Arc::new(make().await))).await;
    }
    report.finish();
}

/// Tests a store that outlives its process. The closure makes a place that holds nothing, for each case anew.
///
/// Each case runs three times: with one store, as a `Box<dyn Store>`, with three stores of one place in turn, as in several
/// processes, and with a store that is opened anew for each call, as after a crash.
///
/// ```no_run
/// # #[cfg(any())]
/// # async fn test() {
/// struct Folder(TempDir);
///
/// impl toolwright_store_tests::Place for Folder {
///     type Store = MyStore;
///
///     async fn open(&self) -> MyStore {
///         MyStore::open(self.0.path()).await.unwrap()
///     }
/// }
///
/// toolwright_store_tests::check_durable(async || Folder(TempDir::new().unwrap())).await;
/// # }
/// ```
///
/// # Panics
///
/// When a case fails: with its name and what was expected, for every case that failed.
pub async fn check_durable<P: Place>(make: impl AsyncFn() -> P) {
    let mut report = Report::default();
    for (name, case) in all() {
        let place = make().await;
        let boxed: Box<dyn Store> = Box::new(place.open().await);
        report.run(name, case(Arc::new(boxed))).await;
        let in_turn = format!("{name}, with three stores in turn");
        let stores = Arc::new(InTurn::new(make().await).await);
        report.run(&in_turn, case(stores)).await;
        let anew = format!("{name}, opened anew for each call");
        report.run(&anew, case(Arc::new(Anew(make().await)))).await;
    }
    report.finish();
}
