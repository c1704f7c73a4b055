//! One thing at a time with one folder, among the tasks of this process.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, Weak},
};

type Turns = HashMap<(PathBuf, u32), Weak<Mutex<()>>>;

static TURNS: LazyLock<Mutex<Turns>> = LazyLock::new(Mutex::default);

/// The number of folders after which those that nobody waits for are forgotten.
const MANY: usize = 256;

/// The turns of a folder. Work that goes on after its future was dropped has its turn as well. Other processes do not
/// wait for it: what holds between them is done by files that only one can create.
///
/// Stores with different numbers do not wait for each other, as if they were in different processes.
pub(super) fn of(folder: &Path, process: u32) -> Arc<Mutex<()>> {
    let mut turns = locked(&TURNS);
    if turns.len() > MANY {
        turns.retain(|_, turn| turn.strong_count() > 0);
    }
    let turn = turns.entry((folder.to_owned(), process)).or_default();
    turn.upgrade().unwrap_or_else(|| {
        let new = Arc::default();
        *turn = Arc::downgrade(&new);
        new
    })
}

/// Locks what is whole at any time, also after a panic.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
