//! Leases that are taken, by the next segment.

use std::{
    path::Path,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use super::{
    line::{self, After, Header},
    log::State,
    place::{Place, RunFolder},
    turns::locked,
};
use crate::{
    run::RunId,
    store::{Lease, RunStatus, StoreError, StoreErrorKind},
};

/// The end of a lease that begins now, in milliseconds.
pub(super) fn end_of(time: Duration) -> u64 {
    let longest = Duration::from_secs(100 * 366 * 24 * 60 * 60);
    line::to_ms(SystemTime::now() + time.min(longest))
}

/// A first line that comes after what a state says.
fn header(token: u64, before: &State, until_ms: Option<u64>, abandoned: bool) -> Header {
    let after = (before.token > 0).then_some(After {
        token: before.token,
        bytes: before.bytes,
    });
    Header {
        version: line::VERSION,
        token,
        after,
        until_ms,
        abandoned,
        at_ms: abandoned.then(|| line::to_ms(SystemTime::now())),
    }
}

/// What a new segment is for.
enum Takes {
    Lease(Duration),
    Abandon,
}

impl Place {
    pub(super) fn lease(&self, run: &RunId, time: Duration) -> Result<Lease, StoreError> {
        let folder = self.run(run);
        let turn = self.turn(&folder.path);
        let _turn = locked(&turn);
        let lease = folder.take(&Takes::Lease(time));
        lease.map_err(|error| folder.named(error))
    }

    pub(super) fn abandon(&self, run: &RunId) -> Result<(), StoreError> {
        let folder = self.run(run);
        let turn = self.turn(&folder.path);
        let _turn = locked(&turn);
        let info = folder.info_if_whole()?;
        let abandoned = folder.take(&Takes::Abandon);
        abandoned.map_err(|error| folder.named(error))?;
        let state = folder.state(None)?;
        info.map_or(Ok(()), |info| self.settle(&info, &state))
    }
}

impl RunFolder<'_> {
    /// Takes the run from whoever has it, if that is allowed.
    fn take(&self, takes: &Takes) -> Result<Lease, StoreError> {
        let (disk, log) = (&self.place.disk, self.log());
        let mut has_abandoned = false;
        loop {
            let state = match self.state(None) {
                Err(error) if error.kind == StoreErrorKind::Corrupt => {
                    return match takes {
                        Takes::Abandon => self.abandon_damaged(),
                        Takes::Lease(_) => Err(error),
                    };
                }
                state => state?,
            };
            if state.is_over() {
                return if has_abandoned && state.status == RunStatus::Abandoned {
                    Ok(Lease::new(self.run.clone(), state.token, UNIX_EPOCH))
                } else {
                    Err(StoreError::over(self.run))
                };
            }
            if let Takes::Lease(_) = takes
                && let Some(until) = self.held_until(&state)?
                && until > SystemTime::now()
            {
                return Err(StoreError::held(self.run, until));
            }
            let token = state.newest + 1;
            if !disk.create_new(&log.segment(token))? {
                // Somebody else was faster. Its first line comes soon.
                std::thread::sleep(Duration::from_millis(1));
                continue;
            }
            // The driver before looks for this file after each append: what is there now counts.
            let before = log.read_below(token, &mut None)?;
            let before = before.ok_or_else(|| StoreError::no_run(self.run))?;
            if before.token > 0 {
                disk.sync_file(&log.segment(before.token))?;
            }
            let is_over = before.status.is_over();
            let until_ms = match takes {
                Takes::Lease(time) if !is_over => Some(end_of(*time)),
                _ => None,
            };
            let abandoned = matches!(takes, Takes::Abandon) && !is_over;
            let header = header(token, &before, until_ms, abandoned);
            self.write_header(&header, &log.segment(token))?;
            if is_over {
                return Err(StoreError::over(self.run));
            }
            has_abandoned |= abandoned;
            if disk.exists(&log.segment(token + 1))? {
                continue;
            }
            let until = line::from_ms(until_ms.unwrap_or_default());
            return Ok(Lease::new(self.run.clone(), token, until));
        }
    }

    /// Gives a run up whose log cannot be read: nothing of that counts any more.
    fn abandon_damaged(&self) -> Result<Lease, StoreError> {
        let (disk, log) = (&self.place.disk, self.log());
        loop {
            let newest = log.newest()?;
            let newest = newest.ok_or_else(|| StoreError::no_run(self.run))?;
            let token = newest.saturating_add(1);
            if disk.create_new(&log.segment(token))? {
                let header = header(token, &State::default(), None, true);
                self.write_header(&header, &log.segment(token))?;
                if !disk.exists(&log.segment(token.saturating_add(1)))? {
                    return Ok(Lease::new(self.run.clone(), token, UNIX_EPOCH));
                }
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Gives a lease back with so many bytes of its segment, as if somebody had taken the next one. If that fails, the
    /// next who takes the lease decides what counts.
    pub(super) fn leave(&self, token: u64, bytes: u64) {
        let (disk, next) = (&self.place.disk, token.saturating_add(1));
        let path = self.log().segment(next);
        let before = State {
            token,
            bytes,
            ..State::default()
        };
        if disk.create_new(&path).unwrap_or(false) {
            let _ = self.write_header(&header(next, &before, None, false), &path);
        }
    }

    fn write_header(&self, header: &Header, path: &Path) -> Result<(), StoreError> {
        let mut bytes = Vec::new();
        line::push(&mut bytes, header)?;
        self.place.disk.append(path, 0, &bytes)?;
        self.place.disk.sync_file(path)?;
        self.place.disk.sync_folder(&self.path)?;
        // Whoever began the run may have died before its name was synced.
        self.place.disk.sync_folder(&self.place.runs())
    }
}
