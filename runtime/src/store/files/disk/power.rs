//! A loss of power, and other failures, for tests.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

/// What was synced, and what is to fail.
#[derive(Debug, Clone, Default)]
pub(in crate::store::files) struct Power(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    /// The synced length of each file.
    lengths: BTreeMap<PathBuf, u64>,
    /// The names that are synced.
    names: BTreeSet<PathBuf>,
    /// The number of syncs.
    syncs: usize,
    /// The number of writes and syncs before the first that fails; `None` if none does.
    steps: Option<usize>,
    syncs_fail: bool,
    /// What happens before a step from now on: others do something.
    meanwhile: Option<(usize, Meanwhile)>,
    /// What happens before a file is read from now on.
    looked: Option<(usize, Meanwhile)>,
}

type Meanwhile = Box<dyn FnOnce() + Send>;

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inner").finish_non_exhaustive()
    }
}

fn due(waits: &mut Option<(usize, Meanwhile)>) -> Option<Meanwhile> {
    match waits.take()? {
        (0, meanwhile) => Some(meanwhile),
        (steps, meanwhile) => {
            *waits = Some((steps - 1, meanwhile));
            None
        }
    }
}

impl Power {
    fn with<T>(&self, work: impl FnOnce(&mut Inner) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn sync_file(&self, file: &File, path: &Path) -> io::Result<()> {
        self.step()?;
        let len = file.metadata()?.len();
        self.with(|inner| {
            if inner.syncs_fail {
                return Err(io::Error::other("the disk is broken"));
            }
            inner.syncs += 1;
            inner.lengths.insert(path.to_owned(), len);
            Ok(())
        })
    }

    pub(super) fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.step()?;
        let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
        let names = names.collect::<io::Result<Vec<_>>>()?;
        self.with(|inner| {
            inner.syncs += 1;
            inner.names.extend(names);
        });
        Ok(())
    }

    pub(super) fn link(&self, from: &Path, to: &Path) {
        self.with(|inner| {
            if let Some(len) = inner.lengths.get(from).copied() {
                inner.lengths.insert(to.to_owned(), len);
            }
        });
    }

    pub(super) fn rename(&self, from: &Path, to: &Path) {
        let moved = |path: &PathBuf| Some(to.join(path.strip_prefix(from).ok()?));
        self.with(|inner| {
            let lengths = inner
                .lengths
                .iter()
                .filter_map(|(path, len)| Some((moved(path)?, *len)));
            let lengths: Vec<_> = lengths.collect();
            inner.lengths.extend(lengths);
            let names: Vec<_> = inner
                .names
                .iter()
                .filter(|path| *path != from)
                .filter_map(moved)
                .collect();
            inner.names.extend(names);
        });
    }

    /// Does what is to happen before a file is read.
    pub(super) fn look(&self) {
        let due = self.with(|inner| due(&mut inner.looked));
        if let Some(meanwhile) = due {
            meanwhile();
        }
    }

    /// Fails if it is time to.
    pub(super) fn step(&self) -> io::Result<()> {
        let due = self.with(|inner| due(&mut inner.meanwhile));
        if let Some(meanwhile) = due {
            meanwhile();
        }
        self.with(|inner| match &mut inner.steps {
            Some(0) => Err(io::Error::other("the power is gone")),
            Some(steps) => {
                *steps -= 1;
                Ok(())
            }
            None => Ok(()),
        })
    }

    /// From now on everything fails after so many writes and syncs; `None` for never.
    pub(in crate::store::files) fn fails_after(&self, steps: Option<usize>) {
        self.with(|inner| inner.steps = steps);
    }

    /// After so many writes and syncs, others do something.
    pub(in crate::store::files) fn meanwhile(
        &self,
        steps: usize,
        meanwhile: impl FnOnce() + Send + 'static,
    ) {
        self.with(|inner| inner.meanwhile = Some((steps, Box::new(meanwhile))));
    }

    /// After so many files were read, others do something.
    pub(in crate::store::files) fn while_reading(
        &self,
        reads: usize,
        meanwhile: impl FnOnce() + Send + 'static,
    ) {
        self.with(|inner| inner.looked = Some((reads, Box::new(meanwhile))));
    }

    /// From now on no file can be synced, or all can.
    pub(in crate::store::files) fn syncs_fail(&self, fail: bool) {
        self.with(|inner| inner.syncs_fail = fail);
    }

    /// The number of syncs so far.
    pub(in crate::store::files) fn syncs(&self) -> usize {
        self.with(|inner| inner.syncs)
    }

    /// Loses everything under a folder that was not synced.
    pub(in crate::store::files) fn lose(&self, folder: &Path) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let (is_there, len) = self.with(|inner| {
                (
                    inner.names.contains(&path),
                    inner.lengths.get(&path).copied(),
                )
            });
            match (is_there, path.is_dir()) {
                (true, true) => self.lose(&path)?,
                (true, false) => {
                    let file = File::options().write(true).open(&path)?;
                    let len = len.unwrap_or(0).min(file.metadata()?.len());
                    file.set_len(len)?;
                }
                (false, true) => fs::remove_dir_all(&path)?,
                (false, false) => fs::remove_file(&path)?,
            }
        }
        Ok(())
    }
}
