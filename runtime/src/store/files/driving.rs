//! What the holder of a lease does: it appends, renews and gives back.

use std::time::{Duration, SystemTime};

use super::{
    disk::Survives,
    inbox,
    line::{self, End},
    log::State,
    place::{Begun, Place, RunFolder},
    taking::end_of,
    turns::locked,
};
use crate::store::{Append, Lease, RunStatus, StoreError, StoreErrorKind};

/// How long a driver waits for the first line of the segment of another one.
const DECIDES: Duration = Duration::from_secs(2);

impl Place {
    pub(super) fn renew(&self, lease: &Lease, time: Option<Duration>) -> Result<Lease, StoreError> {
        let folder = self.run(&lease.run_id);
        let turn = self.turn(&folder.path);
        let _turn = locked(&turn);
        let info = folder.info()?;
        let mut state = folder.held(lease, &info)?;
        if state.status.is_over() {
            // Nobody holds it any more: there is nothing to give back.
            return match time {
                Some(_) => Err(StoreError::over(&lease.run_id)),
                None => Ok(lease.clone()),
            };
        }
        if time.is_some() && state.until_ms.is_none() {
            return Err(StoreError::lease_lost(&lease.run_id));
        }
        let until_ms = time.map(end_of);
        let renewed = (|| {
            let bytes = line::lease(until_ms)?;
            let path = folder.log().segment(lease.token);
            self.disk.append(&path, state.bytes, &bytes)?;
            state.bytes += bytes.len() as u64;
            folder.check_newest(lease.token)
        })();
        renewed.map_err(|error| folder.named(error))?;
        state.until_ms = until_ms;
        state.birth = info.birth;
        locked(&self.states).insert(lease.run_id.clone(), state);
        let until = until_ms.map_or(lease.until, line::from_ms);
        Ok(Lease::new(lease.run_id.clone(), lease.token, until))
    }

    pub(super) fn append(&self, lease: &Lease, append: &Append) -> Result<(), StoreError> {
        let folder = self.run(&lease.run_id);
        let turn = self.turn(&folder.path);
        let _turn = locked(&turn);
        let info = folder.info()?;
        let state = folder.held(lease, &info)?;
        let appended = self.append_to(&folder, &info, state, lease, append);
        appended.map_err(|error| folder.named(error))
    }

    fn append_to(
        &self,
        folder: &RunFolder<'_>,
        info: &Begun,
        mut state: State,
        lease: &Lease,
        append: &Append,
    ) -> Result<(), StoreError> {
        if state.status.is_over() {
            return Err(StoreError::over(&lease.run_id));
        }
        if !append.entries.is_empty() && append.first != state.entries {
            let (first, next) = (append.first, state.entries);
            return Err(StoreError::out_of_sequence(&lease.run_id, first, next));
        }
        let survives = if append.synced {
            Survives::Power
        } else {
            Survives::Process
        };
        let is_end = append.status.as_ref().is_some_and(RunStatus::is_over);
        let mut end = End {
            first: state.entries,
            entries: append.entries.len() as u64,
            taken: append.taken,
            status: append.status.clone(),
            at_ms: is_end.then(|| line::to_ms(SystemTime::now())),
            synced: append.synced,
            saved: None,
            gate: None,
        };
        if matches!(append.status, Some(RunStatus::Suspended { .. })) {
            let taken = state.taken.max(append.taken);
            let gate = inbox::next_gate(&self.disk, &folder.inbox(), taken)?;
            end.gate = Some(gate.ok_or_else(|| StoreError::inbox_not_empty(&lease.run_id))?);
        }
        let talk = info
            .info
            .conversation
            .as_ref()
            .map(|it| self.conversation(&it.id));
        let talk_turn = talk.as_ref().map(|talk| self.turn(talk));
        let talk_held = talk_turn.as_ref().map(|turn| locked(turn));
        if let (Some(version), Some(continued), Some(path)) =
            (&append.conversation, &info.info.conversation, &talk)
        {
            let talk = self.talk(path);
            if let Some(saved) = &state.saved {
                talk.publish(saved, survives)?;
            }
            let owner = info.info.owner.as_deref();
            end.saved = Some(talk.write_draft(&continued.id, owner, version, survives)?);
        }
        let saved = end.saved.clone();
        let written = self.write_append(folder, &state, lease, append, end, survives);
        if let Err(error) = written {
            if let (Some(saved), Some(path)) = (saved, talk)
                && error.kind != StoreErrorKind::Unavailable
            {
                self.talk(&path).drop_draft(&saved);
            }
            return Err(error);
        }
        // It counts from here on. What follows is done by whoever comes next as well.
        let log = folder.log();
        let rest = self
            .disk
            .read_from(&log.segment(lease.token), state.bytes)?;
        log.advance(&mut state, &rest.unwrap_or_default(), true, &mut None)?;
        drop(talk_held);
        let settled = if state.saved.is_some() || state.status.is_over() {
            self.settle(info, &state)
        } else {
            Ok(())
        };
        if !state.status.is_over() {
            state.birth.clone_from(&info.birth);
            locked(&self.states).insert(lease.run_id.clone(), state);
        }
        drop(settled);
        Ok(())
    }

    /// Writes an append and finds out if it counts.
    fn write_append(
        &self,
        folder: &RunFolder<'_>,
        state: &State,
        lease: &Lease,
        append: &Append,
        end: End,
        survives: Survives,
    ) -> Result<(), StoreError> {
        let (path, gate) = (folder.log().segment(lease.token), end.gate.clone());
        let bytes = line::append(&append.entries, end)?;
        self.disk.append(&path, state.bytes, &bytes)?;
        if survives == Survives::Power {
            let synced = self.disk.sync_file(&path);
            synced.inspect_err(|_| {
                locked(&self.ended).insert((lease.run_id.clone(), lease.token));
                folder.leave(lease.token, state.bytes);
            })?;
        }
        if let Some(gate) = gate
            && !inbox::close(&self.disk, &folder.inbox(), &gate, survives)?
        {
            self.disk.cut(&path, state.bytes)?;
            return Err(StoreError::inbox_not_empty(&lease.run_id));
        }
        folder.check_counted(lease.token, state.bytes + bytes.len() as u64)
    }
}

impl RunFolder<'_> {
    /// What the log says, if a lease is the newest.
    fn held(&self, lease: &Lease, info: &Begun) -> Result<State, StoreError> {
        let ended = (lease.run_id.clone(), lease.token);
        if locked(&self.place.ended).contains(&ended) {
            return Err(StoreError::lease_lost(self.run));
        }
        let known = locked(&self.place.states).remove(self.run);
        let state = match known {
            // A run that was deleted may have come again with its id.
            Some(state) if state.token == lease.token && state.birth == info.birth => {
                let state = self.refreshed(state).map_err(|error| self.named(error))?;
                state.map_or_else(|| self.state(None), Ok)?
            }
            _ => self.state(None)?,
        };
        if state.newest == lease.token && state.token == lease.token {
            return Ok(state);
        }
        Err(StoreError::lease_lost(self.run))
    }

    /// A state with what was added since; `None` if it has to be read anew.
    pub(super) fn refreshed(&self, mut state: State) -> Result<Option<State>, StoreError> {
        let log = self.log();
        if self.place.disk.exists(&log.segment(state.token + 1))? {
            return Ok(None);
        }
        let path = log.segment(state.token);
        let Some(rest) = self.place.disk.read_from(&path, state.bytes)? else {
            return Ok(None);
        };
        log.advance(&mut state, &rest, true, &mut None)?;
        Ok(Some(state))
    }

    fn check_newest(&self, token: u64) -> Result<(), StoreError> {
        if self.place.disk.exists(&self.log().segment(token + 1))? {
            return Err(StoreError::lease_lost(self.run));
        }
        Ok(())
    }

    /// Checks that the first bytes of a segment count, so many of them, also if somebody has taken the lease since.
    fn check_counted(&self, token: u64, bytes: u64) -> Result<(), StoreError> {
        if !self.place.disk.exists(&self.log().segment(token + 1))? {
            return Ok(());
        }
        let begun = SystemTime::now();
        loop {
            let (chain, _) = self.log().chain(u64::MAX)?.unwrap_or_default();
            let counted = chain.iter().find(|after| after.token == token);
            match counted {
                Some(after) if chain.last() != Some(after) => {
                    return if after.bytes >= bytes {
                        Ok(())
                    } else {
                        // They count for nobody. If they stay they do no harm.
                        let _ = (self.place.disk).cut(&self.log().segment(token), after.bytes);
                        Err(StoreError::lease_lost(self.run))
                    };
                }
                Some(_) => {}
                None => return Err(StoreError::lease_lost(self.run)),
            }
            if begun.elapsed().map_or(true, |passed| passed > DECIDES) {
                let message = "another driver takes the run: what was appended may count";
                return Err(StoreError::new(StoreErrorKind::Unavailable, message));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
