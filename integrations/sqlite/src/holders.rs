//! Which process holds a lease, and whether it is still there.
//!
//! A process that drives runs of a database has a file beside it, and holds a lock of that file until it ends, however
//! it ends: who finds the lock free knows that the process is gone. Whether a live one renews its lease is measured by
//! a monotonic clock. What time it is for another process is asked only where files cannot be locked.

#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, HashMap},
    ffi::OsString,
    fs::{self, File, TryLockError},
    hash::{BuildHasher, RandomState},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use toolwright_core::driver::Mutex;

/// The most leases that are remembered before those are forgotten that are long over.
const MOST: usize = 1024;
/// How long a lease is remembered after its end.
const LONG_OVER: Duration = Duration::from_secs(600);
/// How often a file is created again that another process removes before it is locked.
const TRIES: u32 = 5;

/// The processes that drive runs of a database, as this one sees them.
#[derive(Debug, Clone)]
pub(crate) struct Holders(Arc<Seen>);

#[derive(Debug)]
struct Seen {
    /// The folder of their files; `None` for a database in memory, which has one process.
    folder: Option<PathBuf>,
    clock: fn() -> SystemTime,
    try_lock: TryLock,
    own: Mutex<Own>,
    /// The newest leases, by the keys of their runs.
    leases: Mutex<HashMap<i64, Observed>>,
}

type TryLock = fn(&File) -> Result<(), TryLockError>;

/// What this process has, once it has driven a run.
#[derive(Debug, Default)]
enum Own {
    #[default]
    Nothing,
    File(OwnFile),
    /// Nothing for ever: files cannot be locked here.
    Unlockable,
}

/// The file of this process.
#[derive(Debug)]
struct OwnFile {
    id: String,
    path: PathBuf,
    /// The lock ends with it.
    _locked: File,
}

/// Why a process has no file.
enum MakeError {
    /// Files cannot be locked here.
    Unlockable,
    Other,
}

impl From<io::Error> for MakeError {
    fn from(_: io::Error) -> Self {
        Self::Other
    }
}

/// A lease that looks the same since then.
#[derive(Debug)]
struct Observed {
    token: i64,
    until: i64,
    time: Duration,
    since: Instant,
}

/// A lease, as its row says it.
#[derive(Debug)]
pub(crate) struct Held {
    /// The key of the run.
    pub(crate) run: i64,
    pub(crate) token: i64,
    /// When it ends, by the clock of its holder: a number that changes when it is extended.
    pub(crate) until: i64,
    /// That number as a time.
    pub(crate) said: SystemTime,
    /// How long it holds after it was taken or extended.
    pub(crate) time: Duration,
    /// The file of the process that holds it; `None` if that could not lock one.
    pub(crate) holder: Option<String>,
}

/// The holders of each database that this process has opened. A lock is held until the process ends, and not until its store is
/// dropped: its runs may go on with another store.
static ALL: Mutex<BTreeMap<PathBuf, Holders>> = Mutex::new(BTreeMap::new());

impl Holders {
    /// The holders of a database in memory.
    pub(crate) fn in_memory() -> Self {
        Self::new(None, SystemTime::now, File::try_lock)
    }

    /// The holders of the database in a file.
    pub(crate) fn of(database: &Path) -> Self {
        let mut all = ALL.lock();
        // A database that was deleted needs no lock any more.
        all.retain(|_, holders| !matches!(&*holders.0.own.lock(), Own::File(own) if own.is_gone()));
        let holders = all.entry(database.to_owned());
        holders
            .or_insert_with(|| Self::apart(database, SystemTime::now))
            .clone()
    }

    /// The holders of the database in a file, as another process with another clock sees them.
    pub(crate) fn apart(database: &Path, clock: fn() -> SystemTime) -> Self {
        let mut folder = OsString::from(database);
        folder.push(".holders");
        Self::new(Some(folder.into()), clock, File::try_lock)
    }

    fn new(folder: Option<PathBuf>, clock: fn() -> SystemTime, try_lock: TryLock) -> Self {
        Self(Arc::new(Seen {
            folder,
            clock,
            try_lock,
            own: Mutex::default(),
            leases: Mutex::default(),
        }))
    }

    /// The time by the clock of this process.
    pub(crate) fn now(&self) -> SystemTime {
        (self.0.clock)()
    }

    /// The name of this process in a lease that it takes; `None` if it cannot lock a file.
    pub(crate) fn own(&self) -> Option<String> {
        let folder = self.0.folder.as_ref()?;
        let mut own = self.0.own.lock();
        match &*own {
            Own::Unlockable => return None,
            Own::File(file) if !file.is_gone() => return Some(file.id.clone()),
            Own::Nothing | Own::File(_) => {}
        }
        match OwnFile::make(folder, self.0.try_lock) {
            Ok(made) => {
                let id = made.id.clone();
                // The one before is unlocked now, and not earlier.
                *own = Own::File(made);
                return Some(id);
            }
            Err(MakeError::Unlockable) if matches!(*own, Own::Nothing) => {
                *own = Own::Unlockable;
            }
            // Another lease tries it again.
            Err(_) => {}
        }
        None
    }

    /// Remembers a lease that this process takes or extends.
    pub(crate) fn note(&self, held: &Held) {
        let mut leases = self.0.leases.lock();
        if leases.len() >= MOST {
            leases.retain(|_, lease| lease.since.elapsed() < lease.time.saturating_add(LONG_OVER));
        }
        leases.insert(held.run, Observed::new(held));
    }

    /// The time until which a lease holds, by the clock of this process; `None` if it is over.
    pub(crate) fn until(&self, held: &Held) -> Option<SystemTime> {
        let is_own = self.is_own(held.holder.as_deref());
        if !is_own && held.holder.as_deref().is_some_and(|it| self.is_gone(it)) {
            return None;
        }
        let left = self.left(held)?;
        let now = self.now();
        let end = now.checked_add(left).unwrap_or(held.said);
        if held.said > now {
            let is_said = is_own || held.holder.is_none();
            return Some(if is_said { end.min(held.said) } else { end });
        }
        // The lease of a process without a lock may be that of one that is gone: a process that lives for less than a lease is
        // to find it free as well.
        (is_own || held.holder.is_some()).then_some(end)
    }

    /// What is left of a lease, which begins when it is seen first; `None` if it is over.
    fn left(&self, held: &Held) -> Option<Duration> {
        let since = self
            .0
            .leases
            .lock()
            .get(&held.run)
            .filter(|seen| (seen.token, seen.until) == (held.token, held.until))
            .map(|seen| seen.since);
        if since.is_none() {
            self.note(held);
        }
        let passed = since.map_or(Duration::ZERO, |since| since.elapsed());
        held.time.checked_sub(passed).filter(|left| !left.is_zero())
    }

    fn is_own(&self, holder: Option<&str>) -> bool {
        let own = self.0.own.lock();
        self.0.folder.is_none() || matches!(&*own, Own::File(own) if Some(&*own.id) == holder)
    }

    /// Returns true if a process has ended.
    fn is_gone(&self, holder: &str) -> bool {
        let Some(folder) = &self.0.folder else {
            return false;
        };
        // The database may be that of another program, with any content.
        if !holder.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return false;
        }
        match File::open(folder.join(holder)) {
            Ok(file) => file.try_lock_shared().is_ok(),
            Err(error) => error.kind() == ErrorKind::NotFound,
        }
    }
}

impl OwnFile {
    /// # Errors
    ///
    /// When there can be no file, or it cannot be locked: none stays.
    fn make(folder: &Path, try_lock: TryLock) -> Result<Self, MakeError> {
        fs::create_dir_all(folder)?;
        remove_those_of_the_dead(folder);
        for _ in 0..TRIES {
            let bits = || RandomState::new().hash_one(());
            let id = format!("{:016x}{:016x}", bits(), bits());
            let path = folder.join(&id);
            let file = File::options().write(true).create_new(true).open(&path)?;
            let locked = try_lock(&file);
            let own = Self {
                id,
                path,
                _locked: file,
            };
            // Before it was locked it looked like one of a process that is gone.
            if locked.is_ok() && !own.is_gone() {
                return Ok(own);
            }
            // It may be gone already.
            let _ = fs::remove_file(&own.path);
            if let Err(TryLockError::Error(_)) = locked {
                return Err(MakeError::Unlockable);
            }
        }
        Err(MakeError::Other)
    }

    /// Returns true if it was removed: one that cannot be seen now may be there.
    fn is_gone(&self) -> bool {
        matches!(self.path.try_exists(), Ok(false))
    }
}

/// Nobody needs them: a process whose file is not there is gone as well.
fn remove_those_of_the_dead(folder: &Path) {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    for path in files.map(|file| file.path()) {
        if let Ok(file) = File::open(&path)
            && file.try_lock().is_ok()
        {
            // It is tried again by the next process.
            let _ = fs::remove_file(&path);
        }
    }
}

impl Observed {
    fn new(held: &Held) -> Self {
        Self {
            token: held.token,
            until: held.until,
            time: held.time,
            since: Instant::now(),
        }
    }
}
