//! The connections that read. They see what was committed when they begin, and never wait for who writes.

use std::{
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

use toolwright_core::driver::Mutex;

use rusqlite::Connection;
use toolwright_runtime::store::StoreError;

use super::{
    job::{Job, Verdict},
    place::Place,
    setup::Target,
};
use crate::failure::{Failure, unavailable};

/// The number of threads that read, each with a connection.
const THREADS: usize = 2;

/// The threads that read. They end when this is dropped.
#[derive(Debug)]
pub(crate) struct Readers(Sender<Box<dyn Job>>);

type Jobs = Arc<Mutex<Receiver<Box<dyn Job>>>>;

impl Readers {
    pub(super) fn start(target: &Target, place: &Place) -> Result<Self, StoreError> {
        let (sender, jobs) = channel();
        let jobs = Arc::new(Mutex::new(jobs));
        for _ in 0..THREADS {
            let (target, place, jobs) = (target.clone(), place.clone(), Jobs::clone(&jobs));
            thread::Builder::new()
                .name("toolwright-sqlite-read".to_owned())
                .spawn(move || read(&target, &place, &jobs))
                .map_err(|error| unavailable(format!("no thread can be started: {error}")))?;
        }
        Ok(Self(sender))
    }

    /// Reads with one of the connections. The job is dropped if the threads have ended.
    pub(crate) fn read(&self, job: Box<dyn Job>) {
        let _ = self.0.send(job);
    }
}

fn read(target: &Target, place: &Place, jobs: &Jobs) {
    let mut connection = None;
    loop {
        let job = jobs.lock().recv();
        let Ok(mut job) = job else { return };
        let done = read_once(target, place, &mut connection, &mut *job);
        let waited = target.busy_timeout;
        job.answer(&Verdict {
            failed: done.err().map(|failure| failure.into_error(waited)),
            missing: place.check().err(),
            waited,
        });
    }
}

/// Does a job in one transaction, so that all that it reads is of one time.
fn read_once(
    target: &Target,
    place: &Place,
    connection: &mut Option<Connection>,
    job: &mut dyn Job,
) -> Result<(), Failure> {
    let connection = match connection {
        Some(connection) => connection,
        None => connection.insert(target.open_reader(place)?),
    };
    connection.prepare_cached("BEGIN")?.execute([])?;
    job.run(connection);
    if !connection.is_autocommit() {
        connection.prepare_cached("ROLLBACK")?.execute([])?;
    }
    Ok(())
}
