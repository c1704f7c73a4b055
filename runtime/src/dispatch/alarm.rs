//! Wakes tasks at a time where there is no tokio: by one thread, which ends when nobody has waited for a while.

use std::{
    collections::BTreeMap,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
    thread,
    time::{Duration, Instant},
};

use toolwright_core::driver::guarded;

/// The time for which the thread stays without an alarm.
const LINGERS: Duration = Duration::from_secs(10);

/// A time at which a task is woken.
#[derive(Debug, Default)]
pub(super) struct Alarm {
    set: Option<(Instant, u64)>,
}

static ALARMS: Alarms = Alarms {
    state: Mutex::new(State {
        wakers: BTreeMap::new(),
        last: 0,
        is_watched: false,
    }),
    changed: Condvar::new(),
};

struct Alarms {
    state: Mutex<State>,
    /// The first alarm is another one now.
    changed: Condvar,
}

struct State {
    /// The tasks, by their time and a number of their own.
    wakers: BTreeMap<(Instant, u64), Waker>,
    last: u64,
    /// True while the thread is there.
    is_watched: bool,
}

impl Alarm {
    /// Polls for a time: ready once it has come. Until then the task is woken when it comes.
    ///
    /// # Panics
    ///
    /// When the system starts no thread.
    pub(super) fn poll_at(&mut self, at: Instant, cx: &mut Context<'_>) -> Poll<()> {
        self.clear();
        if Instant::now() >= at {
            return Poll::Ready(());
        }
        let mut state = ALARMS.lock();
        state.last += 1;
        let key = (at, state.last);
        state.wakers.insert(key, cx.waker().clone());
        self.set = Some(key);
        let is_first = state.wakers.keys().next() == Some(&key);
        let is_watched = std::mem::replace(&mut state.is_watched, true);
        drop(state);
        if !is_watched {
            let thread = thread::Builder::new().name("toolwright-alarms".to_owned());
            if let Err(error) = thread.spawn(watch) {
                ALARMS.lock().is_watched = false;
                panic!(
                    "a time limit outside of tokio needs a thread, which cannot be started: {error}"
                );
            }
        } else if is_first {
            ALARMS.changed.notify_one();
        }
        Poll::Pending
    }

    fn clear(&mut self) {
        let waker = self
            .set
            .take()
            .and_then(|key| ALARMS.lock().wakers.remove(&key));
        // It is somebody else's code.
        guarded(|| drop(waker));
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Alarms {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing inside the lock leaves it half-changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Wakes tasks at their times, until there has been none for a while.
fn watch() {
    let mut state = ALARMS.lock();
    loop {
        let now = Instant::now();
        while let Some(first) = state.wakers.first_entry()
            && first.key().0 <= now
        {
            let waker = first.remove();
            drop(state);
            guarded(|| waker.wake());
            state = ALARMS.lock();
        }
        let next = state.wakers.keys().next().map(|&(at, _)| at);
        let wait = next.map_or(LINGERS, |at| at.saturating_duration_since(now));
        let waited = ALARMS.changed.wait_timeout(state, wait);
        let (after, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        state = after;
        if next.is_none() && waited.timed_out() && state.wakers.is_empty() {
            state.is_watched = false;
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{Arc, mpsc},
        task::Wake,
    };

    use super::*;

    /// A task that says when it is woken.
    struct Says(Mutex<mpsc::Sender<&'static str>>, &'static str);

    impl Wake for Says {
        fn wake(self: Arc<Self>) {
            let sender = self.0.lock().expect("no test panics in it");
            sender.send(self.1).expect("the test waits");
        }
    }

    #[test]
    fn tasks_are_woken_in_the_order_of_their_times() {
        let (sender, woken) = mpsc::channel();
        let start = Instant::now();
        let (mut alarms, mut set) = (Vec::new(), Vec::new());
        for (name, milliseconds) in [
            // Long enough for a machine that has much to do.
            ("third", 560),
            ("first", 520),
            ("dropped", 530),
            ("second", 540),
        ] {
            let task = Waker::from(Arc::new(Says(Mutex::new(sender.clone()), name)));
            let (at, mut alarm) = (
                start + Duration::from_millis(milliseconds),
                Alarm::default(),
            );
            assert!(
                alarm
                    .poll_at(at, &mut Context::from_waker(&task))
                    .is_pending()
            );
            set.extend(alarm.set);
            if name != "dropped" {
                alarms.push((at, alarm));
            }
        }
        for name in ["first", "second", "third"] {
            assert_eq!(woken.recv().expect("it is woken"), name);
        }
        assert!(start.elapsed() >= Duration::from_millis(560));
        for (at, mut alarm) in alarms {
            assert!(
                alarm
                    .poll_at(at, &mut Context::from_waker(Waker::noop()))
                    .is_ready()
            );
        }
        // Other tests have alarms of their own.
        let left = |key| ALARMS.lock().wakers.contains_key(key);
        assert!(!set.iter().any(left), "nothing is left behind");
    }
}
