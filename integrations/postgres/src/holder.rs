//! Which process holds a lease, and whether it is still there.
//!
//! A process that drives runs of a database has a session of its own there, which holds an advisory lock of a random key until the
//! process ends, however it ends: a key that nobody locks is that of a process which is gone. A session that is lost is replaced at
//! once by one that locks the same key, so that a process which lives keeps its runs. The session lives on a thread of its own,
//! because connections end with the runtime in which they were made.

use std::{
    collections::{BTreeMap, hash_map::RandomState},
    hash::BuildHasher,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use tokio::{
    sync::{
        mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
        oneshot,
    },
    time::timeout,
};
use toolwright_core::driver::Mutex;

use crate::{
    connection::Target,
    failure::{Failure, column},
    session::Session,
};

/// How long an operation waits for the session. Without a key, its lease has no holder and ends by its time alone.
const WAIT: Duration = Duration::from_millis(500);

/// How often the thread looks whether the session was lost, while nobody asks.
const LOOK: Duration = Duration::from_secs(1);

/// How long the thread waits for a server that does not answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long no third session is made: until then the leases that have the key of the first are extended, or over.
const EXTENDED: Duration = Duration::from_secs(30);

type Reply = oneshot::Sender<Option<i64>>;

/// The session of this process in a database.
#[derive(Debug, Clone)]
pub(crate) struct Holder {
    asked: UnboundedSender<Reply>,
    /// The way in of the store that was opened last: an earlier one may be valid no more.
    target: Arc<Mutex<Target>>,
}

/// The sessions of this process, each by the database: by the time when its server was started, and its number there. They are
/// held until the process ends, and not until a store is dropped: its runs may go on with another store.
static ALL: Mutex<BTreeMap<(String, i64), Holder>> = Mutex::new(BTreeMap::new());

const DATABASE: &str = "SELECT pg_postmaster_start_time()::text, oid::bigint FROM pg_database
    WHERE datname = current_database()";

impl Holder {
    /// The holder of the database to which this connection leads.
    pub(crate) async fn of(session: &Session, target: &Target) -> Result<Self, Failure> {
        let rows = session.query_once(DATABASE, &[]).await?;
        let row = rows.first();
        let row = row.ok_or_else(|| Failure::corrupt("the database is not there"))?;
        let database = (column(row, 0)?, column(row, 1)?);
        let mut all = ALL.lock();
        let holder = all.entry(database);
        let holder = holder.or_insert_with(|| Self::apart(target));
        if holder.asked.is_closed() {
            *holder = Self::apart(target);
        }
        holder.target.lock().clone_from(target);
        Ok(holder.clone())
    }

    /// A holder as that of another process, which ends with its last clone.
    pub(crate) fn apart(target: &Target) -> Self {
        let (sender, asked) = unbounded_channel();
        let target = Arc::new(Mutex::new(target.clone()));
        let holder = Self {
            asked: sender,
            target: Arc::clone(&target),
        };
        // Without a thread nobody answers, and leases end by their time.
        let _ = thread::Builder::new()
            .name("toolwright-postgres".to_owned())
            .spawn(move || answer(&target, asked));
        holder
    }

    /// The key of this process in a lease that it takes or extends; `None` if it can lock none now.
    pub(crate) async fn key(&self) -> Option<i64> {
        let (reply, key) = oneshot::channel();
        self.asked.send(reply).ok()?;
        timeout(WAIT, key).await.ok()?.ok()?
    }
}

/// Holds a lock, and says which, until nobody can ask any more.
fn answer(target: &Mutex<Target>, mut asked: UnboundedReceiver<Reply>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let Ok(runtime) = runtime else { return };
    runtime.block_on(async {
        // The newest first. The one before it may only be slow: its lock protects leases until they are extended.
        let mut held: Vec<(Session, i64)> = Vec::new();
        let (mut askers, mut not_before) = (Vec::<Reply>::new(), Instant::now());
        loop {
            match timeout(LOOK, asked.recv_many(&mut askers, usize::MAX)).await {
                Ok(0) => return,
                Ok(_) => askers.retain(|reply| !reply.is_closed()),
                Err(_) if held.first().is_none_or(|(it, _)| it.is_usable()) => continue,
                Err(_) => {}
            }
            let mut is_sure = is_held(held.first()).await;
            if !is_sure && Instant::now() >= not_before {
                let target = target.lock().clone();
                let old = held.first().map(|(_, key)| *key);
                match timeout(PATIENCE, hold(&target, old)).await {
                    Ok(Ok(new)) => {
                        if old.is_some_and(|old| old != new.1) {
                            not_before = Instant::now() + EXTENDED;
                        }
                        held.retain(|(session, _)| session.is_usable());
                        held.insert(0, new);
                        held.truncate(2);
                        is_sure = true;
                    }
                    // A server that starts anew refuses for a moment.
                    Ok(Err(_)) => not_before = Instant::now() + LOOK,
                    Err(_) => not_before = Instant::now() + PATIENCE,
                }
            }
            let key = held.first().filter(|_| is_sure).map(|(_, key)| *key);
            for reply in askers.drain(..) {
                // Who asked may be gone.
                let _ = reply.send(key);
            }
        }
    });
}

const IS_HELD: &str = "SELECT 1 FROM pg_locks
    WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND granted AND objsubid = 1
        AND (classid::bigint << 32) | objid::bigint = $1";

/// Returns true if the session is there still and has its lock: a network may lose one without a word to this side.
async fn is_held(held: Option<&(Session, i64)>) -> bool {
    let Some((session, key)) = held else {
        return false;
    };
    let answer = timeout(PATIENCE / 2, session.query(IS_HELD, &[key])).await;
    answer.is_ok_and(|answer| answer.is_ok_and(|rows| !rows.is_empty()))
}

/// A server may end sessions that do nothing, from PostgreSQL 14 on.
const SETTINGS: &str = "SET application_name = 'toolwright holder'; SET lock_timeout = '1s';
    SELECT set_config('idle_session_timeout', '0', FALSE)
    WHERE current_setting('idle_session_timeout', TRUE) IS NOT NULL";

const LOCK: &str = "SELECT pg_advisory_lock($1)";

/// Makes a session that holds the lock of the old key or, if the old session has it still, of a new one. To wait for a lock keeps
/// others from finding it free.
async fn hold(target: &Target, old: Option<i64>) -> Result<(Session, i64), Failure> {
    let session = target.session().await?;
    session.batch(SETTINGS).await?;
    if let Some(key) = old
        && session.query(LOCK, &[&key]).await.is_ok()
    {
        return Ok((session, key));
    }
    let key = RandomState::new().hash_one(()).cast_signed();
    session.query(LOCK, &[&key]).await?;
    Ok((session, key))
}
