//! The log of a run: its segments, read in order.

use std::{
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use serde::Deserialize;

use super::{
    disk::Disk,
    inbox,
    line::{self, After, End, Header, Line, Saved},
    names::{self, Kind},
};
use crate::store::{RunStatus, StoreError, StoreErrorKind};

/// The time after which a segment without a first line belongs to nobody.
pub(super) const GRACE: Duration = Duration::from_secs(5);

/// How long a reader waits for the first line of a segment.
const SETTLES: Duration = Duration::from_millis(200);

/// The number of bytes in which a first line of this program ends.
const LINE: u64 = 512;

/// What the log of a run says.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    /// The birth of the run, if the store keeps the state between two appends.
    pub(super) birth: String,
    /// The token of the newest segment that has a first line.
    pub(super) token: u64,
    /// The token of the newest segment. It is greater than the other one while somebody takes the lease, or after
    /// somebody died while taking it.
    pub(super) newest: u64,
    /// The number of bytes of the newest segment that count.
    pub(super) bytes: u64,
    /// The number of entries.
    pub(super) entries: u64,
    pub(super) taken: u64,
    pub(super) status: RunStatus,
    pub(super) until_ms: Option<u64>,
    /// When the run was over.
    pub(super) ended_ms: Option<u64>,
    /// The newest version of the conversation that the run saved.
    pub(super) saved: Option<Saved>,
}

/// What every version of a form has.
#[derive(Deserialize)]
struct Head {
    version: u32,
}

/// A log in a folder.
#[derive(Clone, Copy)]
pub(super) struct Log<'a> {
    pub(super) disk: &'a Disk,
    pub(super) folder: &'a Path,
}

/// The entries from a place on, while a log is read.
pub(super) struct Wanted<'a> {
    pub(super) from: u64,
    pub(super) entries: &'a mut Vec<String>,
}

fn corrupt(place: u64, why: impl Into<String>) -> StoreError {
    StoreError::new(StoreErrorKind::Corrupt, why).with_sequence(place)
}

impl Log<'_> {
    pub(super) fn segment(&self, token: u64) -> PathBuf {
        self.folder.join(names::numbered(Kind::Segment, token))
    }

    /// The tokens of all segments, the newest first; `None` if there is no such folder.
    fn tokens(&self) -> Result<Option<Vec<u64>>, StoreError> {
        let Some(names) = self.disk.names(self.folder)? else {
            return Ok(None);
        };
        let tokens = names
            .iter()
            .filter_map(|name| names::number_of(Kind::Segment, name));
        let mut tokens: Vec<_> = tokens.collect();
        tokens.sort_unstable_by(|a, b| b.cmp(a));
        Ok(Some(tokens))
    }

    /// The token of the newest segment; `None` if there is no such folder.
    pub(super) fn newest(&self) -> Result<Option<u64>, StoreError> {
        let tokens = self.tokens()?;
        Ok(tokens.map(|tokens| tokens.first().copied().unwrap_or(0)))
    }

    /// The first line of a segment, with its length; `None` while it is not whole.
    fn header(&self, token: u64, bytes: &[u8]) -> Result<Option<(Header, u64)>, StoreError> {
        let Some(end) = bytes.iter().position(|&byte| byte == b'\n') else {
            return Ok(None);
        };
        let wrong = |why: String| {
            let path = self.segment(token);
            corrupt(
                0,
                format!("line 1 of {} is no first line: {why}", path.display()),
            )
        };
        let head: Head =
            serde_json::from_slice(&bytes[..end]).map_err(|error| wrong(error.to_string()))?;
        if head.version > line::VERSION {
            return Err(line::newer(head.version));
        }
        let header: Header =
            serde_json::from_slice(&bytes[..end]).map_err(|error| wrong(error.to_string()))?;
        if header.token != token || header.after.is_some_and(|after| after.token >= token) {
            return Err(wrong("it is of another segment".to_owned()));
        }
        Ok(Some((header, end as u64 + 1)))
    }

    /// The first line of a segment, without reading the rest; `None` while it is not whole.
    fn first_line(&self, token: u64) -> Result<Option<Header>, StoreError> {
        let path = self.segment(token);
        let mut bytes = self.disk.read_part(&path, 0, LINE)?.unwrap_or_default();
        if bytes.len() as u64 == LINE && !bytes.contains(&b'\n') {
            bytes = self.disk.read(&path)?.unwrap_or_default();
        }
        Ok(self.header(token, &bytes)?.map(|(header, _)| header))
    }

    /// The segments that count, the oldest first, with how much of each; all of the last one. Those from a token on
    /// are left out. With it comes the token of the newest file.
    pub(super) fn chain(&self, below: u64) -> Result<Option<(Vec<After>, u64)>, StoreError> {
        let Some(tokens) = self.tokens()? else {
            return Ok(None);
        };
        let tokens: Vec<_> = tokens.into_iter().filter(|token| *token < below).collect();
        let newest = tokens.first().copied().unwrap_or(0);
        for token in tokens {
            let Some(mut header) = self.first_line(token)? else {
                continue;
            };
            let mut chain = vec![After {
                token,
                bytes: u64::MAX,
            }];
            while let Some(after) = header.after {
                chain.push(after);
                let Some(before) = self.first_line(after.token)? else {
                    let path = self.segment(after.token);
                    return Err(corrupt(0, format!("{} is missing or cut", path.display())));
                };
                header = before;
            }
            chain.reverse();
            return Ok(Some((chain, newest)));
        }
        Ok(Some((Vec::new(), newest)))
    }

    /// Reads all segments below a token. `None` if there is no such folder.
    pub(super) fn read_below(
        &self,
        below: u64,
        wanted: &mut Option<Wanted<'_>>,
    ) -> Result<Option<State>, StoreError> {
        let Some((chain, newest)) = self.chain(below)? else {
            return Ok(None);
        };
        let mut state = State {
            newest,
            ..State::default()
        };
        for After {
            token,
            bytes: limit,
        } in chain
        {
            let path = self.segment(token);
            let mut bytes = self.disk.read(&path)?.unwrap_or_default();
            if limit != u64::MAX && (bytes.len() as u64) < limit {
                let why = format!("{} is shorter than the next one says", path.display());
                return Err(corrupt(state.entries, why));
            }
            bytes.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
            if let Some((header, len)) = self.header(token, &bytes)? {
                state.token = token;
                state.bytes = len;
                state.until_ms = header.until_ms;
                if header.abandoned {
                    state.status = RunStatus::Abandoned;
                    state.ended_ms = header.at_ms;
                }
                let lines = &bytes[usize::try_from(len).unwrap_or(0)..];
                self.advance(&mut state, lines, limit == u64::MAX, wanted)?;
            }
        }
        Ok(Some(state))
    }

    /// Reads the whole log, when nobody takes its lease just now.
    pub(super) fn read(&self, mut wanted: Option<Wanted<'_>>) -> Result<Option<State>, StoreError> {
        let begun = SystemTime::now();
        loop {
            if let Some(wanted) = &mut wanted {
                wanted.entries.clear();
            }
            let state = match self.read_below(u64::MAX, &mut wanted) {
                // A run that was deleted meanwhile looks like one that lacks files.
                Err(error)
                    if error.kind == StoreErrorKind::Corrupt
                        && !self.disk.exists(self.folder)? =>
                {
                    return Ok(None);
                }
                state => state?,
            };
            let Some(state) = state else {
                return Ok(None);
            };
            // What a driver adds after somebody has begun to take its lease may not count. Who died while taking it
            // leaves everything as it is.
            let is_settled = state.newest == state.token
                && !self
                    .disk
                    .exists(&self.segment(state.newest.saturating_add(1)))?;
            if is_settled || begun.elapsed().map_or(true, |passed| passed > SETTLES) {
                return Ok(Some(state));
            }
            let since = self.disk.changed(&self.segment(state.newest))?;
            let age = since.and_then(|since| since.elapsed().ok());
            if state.newest != state.token && age.is_some_and(|age| age > SETTLES) {
                return Ok(Some(state));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Reads what comes after the bytes of a state in its newest segment. `is_last` is true if all of that counts that is
    /// whole.
    pub(super) fn advance(
        &self,
        state: &mut State,
        bytes: &[u8],
        is_last: bool,
        wanted: &mut Option<Wanted<'_>>,
    ) -> Result<(), StoreError> {
        let (start, mut at, mut pending) = (state.bytes, 0, Vec::new());
        while let Some(len) = bytes[at..].iter().position(|&byte| byte == b'\n') {
            let place = state.entries + pending.len() as u64;
            let (token, byte) = (state.token, start + at as u64);
            let wrong = |why: String| {
                let path = self.segment(token);
                corrupt(
                    place,
                    format!("the line at byte {byte} of {} {why}", path.display()),
                )
            };
            // Bytes that are not UTF-8 are found by the parser too.
            let text = &bytes[at..at + len];
            at += len + 1;
            let line: Line<'_> = match serde_json::from_slice(text) {
                Ok(line) => line,
                // After a loss of power a file may have zeros where it was not synced.
                Err(_) if is_last && text.contains(&0) && !has_synced(&bytes[at..]) => {
                    return Ok(());
                }
                Err(error) => return Err(wrong(format!("cannot be read: {error}"))),
            };
            match line {
                Line {
                    entry: Some(raw), ..
                } => pending.push(raw.get().to_owned()),
                Line {
                    text: Some(text), ..
                } => pending.push(text),
                Line { end: Some(end), .. } => {
                    if end.first != state.entries || end.entries != pending.len() as u64 {
                        return Err(wrong(format!(
                            "ends {} entries from {} on",
                            end.entries, end.first
                        )));
                    }
                    if !self.counts(&end)? {
                        return Ok(());
                    }
                    state.add(end, std::mem::take(&mut pending), wanted);
                    state.bytes = start + at as u64;
                }
                Line {
                    lease: Some(lease), ..
                } if pending.is_empty() => {
                    state.until_ms = lease.until_ms;
                    state.bytes = start + at as u64;
                }
                Line { .. } => return Err(wrong("is none of a log".to_owned())),
            }
        }
        Ok(())
    }

    fn counts(&self, end: &End) -> Result<bool, StoreError> {
        end.gate.as_ref().map_or(Ok(true), |gate| {
            inbox::has_gate(self.disk, &self.folder.join(inbox::FOLDER), gate)
        })
    }
}

/// True if there is an append in these lines that was synced, and with it all before it.
fn has_synced(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|&byte| byte == b'\n');
    lines.any(|line| {
        let line: Result<Line<'_>, _> = serde_json::from_slice(line);
        line.is_ok_and(|line| line.end.is_some_and(|end| end.synced))
    })
}

impl State {
    /// Returns true if the run is over for sure: while somebody takes the lease, what was appended last may not count.
    pub(super) fn is_over(&self) -> bool {
        self.newest == self.token && self.status.is_over()
    }

    fn add(&mut self, end: End, entries: Vec<String>, wanted: &mut Option<Wanted<'_>>) {
        if let Some(wanted) = wanted {
            let skipped = wanted.from.saturating_sub(self.entries);
            let skipped = usize::try_from(skipped).unwrap_or(usize::MAX);
            wanted.entries.extend(entries.into_iter().skip(skipped));
        }
        self.entries += end.entries;
        self.taken = self.taken.max(end.taken);
        if let Some(status) = end.status {
            if status != RunStatus::Open {
                self.until_ms = None;
            }
            self.ended_ms = end.at_ms.filter(|_| status.is_over());
            self.status = status;
        }
        if end.saved.is_some() {
            self.saved = end.saved;
        }
    }
}
