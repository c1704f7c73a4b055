//! Which process holds a lease, and whether it is still there.
//!
//! A process that drives runs of a database has a session of its own there, which holds an advisory lock of a random key until the
//! process ends, however it ends: a key that nobody locks is that of a process which is gone. The session lives on a thread of
//! its own, because connections end with the runtime in which they were made.

use std::{
    collections::{BTreeMap, hash_map::RandomState},
    hash::BuildHasher,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use tokio::{
    sync::{
        mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
        oneshot,
    },
    time::timeout,
};

use crate::{
    connection::Target,
    failure::{Failure, column},
    session::Session,
};

/// How long an operation waits for the session. Without a key, its lease ends by its time alone.
const PATIENCE: Duration = Duration::from_secs(5);

/// The session of this process in a database.
#[derive(Debug, Clone)]
pub(crate) struct Holder(Arc<UnboundedSender<oneshot::Sender<Option<i64>>>>);

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
        // Nothing panics while it is held.
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        let holder = all.entry(database);
        Ok(holder.or_insert_with(|| Self::apart(target)).clone())
    }

    /// A holder as that of another process, which ends with its last clone.
    pub(crate) fn apart(target: &Target) -> Self {
        let (sender, asked) = unbounded_channel();
        let target = target.clone();
        // Without a thread nobody answers, and leases end by their time.
        let _ = thread::Builder::new()
            .name("toolwright-postgres".to_owned())
            .spawn(move || answer(&target, asked));
        Self(Arc::new(sender))
    }

    /// The key of this process in a lease that it takes or extends; `None` if it can lock none now. After its session was lost
    /// it is another one.
    pub(crate) async fn key(&self) -> Option<i64> {
        let (reply, key) = oneshot::channel();
        self.0.send(reply).ok()?;
        timeout(PATIENCE, key).await.ok()?.ok()?
    }
}

/// Holds a lock, and says which, until nobody can ask any more.
fn answer(target: &Target, mut asked: UnboundedReceiver<oneshot::Sender<Option<i64>>>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let Ok(runtime) = runtime else { return };
    runtime.block_on(async {
        let mut held: Option<(Session, i64)> = None;
        while let Some(reply) = asked.recv().await {
            if !is_held(held.as_ref()).await {
                held = hold(target).await.ok();
            }
            // Who asked may be gone.
            let _ = reply.send(held.as_ref().map(|(_, key)| *key));
        }
    });
}

/// Returns true if the session is there still: a network may lose one without a word to this side.
async fn is_held(held: Option<&(Session, i64)>) -> bool {
    let Some((session, _)) = held else {
        return false;
    };
    let answer = timeout(PATIENCE / 2, session.batch("SELECT 1")).await;
    answer.is_ok_and(|answer| answer.is_ok())
}

/// A server may end sessions that do nothing, from PostgreSQL 14 on.
const SETTINGS: &str = "SET application_name = 'toolwright holder';
    SELECT set_config('idle_session_timeout', '0', FALSE)
    WHERE current_setting('idle_session_timeout', TRUE) IS NOT NULL";

/// Makes a session that holds the lock of a new key.
async fn hold(target: &Target) -> Result<(Session, i64), Failure> {
    let session = target.session().await?;
    session.batch(SETTINGS).await?;
    let key = RandomState::new().hash_one(()).cast_signed();
    session
        .query("SELECT pg_advisory_lock($1)", &[&key])
        .await?;
    Ok((session, key))
}
