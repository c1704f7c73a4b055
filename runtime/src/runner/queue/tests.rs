use std::{
    sync::atomic::AtomicUsize,
    task::{Wake, Waker},
};

use super::*;
use toolwright_core::run::RunId;

/// Counts how often a task is woken.
#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// A sub-agent may run in a task of its own, and speak between the last look of the reader and its wait.
#[test]
fn an_event_of_a_run_below_that_comes_before_the_reader_waits_wakes_it() {
    let call = CallId { round: 0, index: 0 };
    let queue = EventQueue::default();
    queue.push(|| RunEvent::Recorded {
        sequence: 1,
        record: Record::CallStarted {
            call,
            name: "ask".to_owned(),
        },
    });
    queue.take(&mut Unread::default());
    queue.push_nested(
        call,
        RunEvent::Nested {
            call,
            agent: "ask".to_owned(),
            run_id: RunId::new("below"),
            event: Box::new(RunEvent::Delta(ModelEvent::Text("Hello".to_owned()))),
        },
    );
    let woken = Arc::<Woken>::default();
    let task = Waker::from(Arc::clone(&woken));
    assert!(queue.poll_update(&Context::from_waker(&task)).is_pending());
    assert_eq!(woken.0.load(Ordering::SeqCst), 1, "the event waits for it");
}
