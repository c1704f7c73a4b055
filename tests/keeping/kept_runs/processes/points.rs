//! The points of a process at which it may be killed or stopped, by itself.

use std::{
    env,
    process::{Command, id},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use super::say;

/// What happens at which point: `KILL 3` or `STOP 3`.
const AT: &str = "TOOLWRIGHT_TEST_AT";

/// What a process does to itself, and when.
#[derive(Debug, Clone, Copy)]
pub(in crate::kept_runs) struct Point {
    pub(in crate::kept_runs) signal: super::Signal,
    /// The number of points before it.
    pub(in crate::kept_runs) after: u64,
}

impl Point {
    pub(in crate::kept_runs) fn tell(self, command: &mut Command) {
        command.env(AT, format!("{} {}", self.signal.name(), self.after));
    }
}

/// Counts the points of this process, and sends the signal at the one that was chosen.
#[derive(Clone)]
pub(in crate::kept_runs) struct Points(Option<Arc<Chosen>>);

struct Chosen {
    signal: String,
    left: AtomicU64,
}

impl Points {
    /// What the test says that has started this process.
    pub(in crate::kept_runs) fn given() -> Self {
        let Ok(at) = env::var(AT) else {
            return Self(None);
        };
        let (signal, after) = at.split_once(' ').expect("a signal and a number");
        let (signal, left) = (signal.to_owned(), after.parse().expect("a number"));
        let left = AtomicU64::new(left);
        Self(Some(Arc::new(Chosen { signal, left })))
    }

    /// A point: nothing follows before the signal has come.
    pub(in crate::kept_runs) fn pass(&self) {
        if let Some(mut sends) = self.chosen() {
            sends.status().expect("there is a shell");
        }
    }

    /// A point: the signal comes at some time after it, while other things are done.
    pub(in crate::kept_runs) fn pass_by(&self) {
        if let Some(mut sends) = self.chosen() {
            thread::spawn(move || sends.status().expect("there is a shell"));
        }
    }

    fn chosen(&self) -> Option<Command> {
        let chosen = self.0.as_ref()?;
        if chosen.left.fetch_sub(1, Ordering::SeqCst) != 0 {
            return None;
        }
        say!("point reached");
        let mut sends = Command::new("sh");
        sends.args(["-c", &format!("kill -{} {}", chosen.signal, id())]);
        Some(sends)
    }
}
