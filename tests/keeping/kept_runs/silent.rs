//! Runs that are to stop beside a store that gives no answer: they wait for it as long as their calls have to end, and for ten
//! seconds. They do not wait for the time of a lease.

use tokio::time::{Instant, sleep};
use toolwright::{
    run::{Failure, Finish, Limits},
    runner::{RunControl, RunEvent, RunHandle},
};

use super::{
    crashing::{Asked, Silent},
    *,
};

/// When a run is cancelled, or its time is up.
const STOPS: Duration = Duration::from_mins(1);

/// A run that is cancelled then, or whose time is up then, and that holds its lease for longer.
pub(super) fn stopping(runner: RunnerBuilder, is_cancelled: bool) -> Runner {
    let runner = runner.lease_time(Duration::from_hours(1));
    let runner = if is_cancelled {
        runner
    } else {
        runner.limits(Limits::default().with_max_time(STOPS))
    };
    runner.build().expect("is sound")
}

/// Cancels a run if that is to be so, and looks whether it is over soon.
pub(super) async fn ends_soon(handle: RunHandle, is_cancelled: bool) {
    let (control, began): (RunControl, _) = (handle.control(), Instant::now());
    let cancel = async {
        sleep(STOPS).await;
        if is_cancelled {
            control.cancel();
        }
    };
    let (ended, ()) = tokio::join!(handle.outcome(), cancel);
    let finish = ended.expect_err("its store has lost it").outcome.finish;
    assert!(
        matches!(finish, Finish::Failed(Failure::Store(_))),
        "{finish:?}"
    );
    let took = began.elapsed();
    assert!(took < 2 * STOPS, "{took:?}, cancelled: {is_cancelled}");
}

#[tokio::test(start_paused = true)]
async fn a_run_begins() {
    for is_cancelled in [true, false] {
        let store = Silent::new(MemoryStore::new(), Asked::Create);
        store.begin();
        let (tools, _) = tools();
        let runner = stopping(builder(&model([]), &tools, store), is_cancelled);
        ends_soon(runner.start("buy"), is_cancelled).await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_time_of_a_call_that_waits_is_over() {
    for is_cancelled in [true, false] {
        let store = Silent::new(MemoryStore::new(), Asked::Inbox);
        let tool = DynamicTool::builder("ask_user", "Asks the user a question.");
        let tools = Toolset::new().with(tool.build_external().expect("is sound"));
        let runner = builder(
            &model([calls(&["ask_user"])]),
            &tools.expect("there is one"),
            store.clone(),
        );
        let runner = runner
            .suspend_after(Duration::from_hours(2))
            .pending_time(Duration::from_secs(10));
        let mut handle = stopping(runner, is_cancelled).start("ask");
        loop {
            let event = handle.next().await.expect("it waits");
            if let RunEvent::Recorded {
                record: Record::CallDelayed { .. },
                ..
            } = event
            {
                break;
            }
        }
        store.begin();
        ends_soon(handle, is_cancelled).await;
    }
}
