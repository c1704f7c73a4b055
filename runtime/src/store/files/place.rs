//! The folder of a store, and where things are in it.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::SystemTime,
};

use serde::{Deserialize, Serialize};

use super::{
    disk::{Disk, Survives},
    inbox, line,
    log::{self, Log, State, Wanted},
    names,
    talks::Talk,
    turns,
};
use crate::{
    run::RunId,
    store::{ConversationId, RunInfo, StoreError, StoreErrorKind},
};

/// The file that says what the folder is.
const MARK: &str = "toolwright-store.json";

#[derive(Serialize, Deserialize)]
struct Mark {
    format: String,
    version: u32,
}

/// What is known of a run from its beginning, as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Begun {
    pub(super) version: u32,
    /// Drawn for each run: it tells a run from a deleted one of its id.
    pub(super) birth: String,
    pub(super) info: RunInfo,
}

#[derive(Deserialize)]
struct Head {
    version: u32,
}

/// A folder that holds a store.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) disk: Disk,
    root: PathBuf,
    /// Which turns it waits for.
    process: u32,
    /// The leases that ended with a failed sync.
    pub(super) ended: Mutex<HashSet<(RunId, u64)>>,
    /// What the logs of runs said last that are driven by this store.
    pub(super) states: Mutex<std::collections::HashMap<RunId, State>>,
}

/// The folder of a run.
pub(super) struct RunFolder<'a> {
    pub(super) place: &'a Place,
    pub(super) run: &'a RunId,
    pub(super) path: PathBuf,
}

impl Place {
    pub(super) fn open(root: &Path, disk: Disk, process: u32) -> Result<Self, StoreError> {
        disk.create_folder(root)?;
        let mark = root.join(MARK);
        let Some(bytes) = disk.read(&mark)? else {
            let new = Mark {
                format: "toolwright files".to_owned(),
                version: line::VERSION,
            };
            let mut bytes = Vec::new();
            line::push(&mut bytes, &new)?;
            disk.create_folder(&root.join("runs"))?;
            disk.create_folder(&root.join("conversations"))?;
            disk.put(&mark, &bytes, Survives::Power)?;
            return Self::open(root, disk, process);
        };
        let corrupt = |error: serde_json::Error| {
            let message = format!("{} is not that of a store: {error}", mark.display());
            StoreError::new(StoreErrorKind::Corrupt, message)
        };
        let head: Head = serde_json::from_slice(&bytes).map_err(corrupt)?;
        if head.version > line::VERSION {
            return Err(line::newer(head.version));
        }
        serde_json::from_slice::<Mark>(&bytes).map_err(corrupt)?;
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        Ok(Self {
            disk,
            root,
            process,
            ended: Mutex::default(),
            states: Mutex::default(),
        })
    }

    pub(super) fn runs(&self) -> PathBuf {
        self.root.join("runs")
    }

    pub(super) fn conversations(&self) -> PathBuf {
        self.root.join("conversations")
    }

    pub(super) fn run<'a>(&'a self, run: &'a RunId) -> RunFolder<'a> {
        RunFolder {
            place: self,
            run,
            path: self.runs().join(names::folder_of(run.as_str())),
        }
    }

    pub(super) fn conversation(&self, id: &ConversationId) -> PathBuf {
        self.conversations().join(names::folder_of(id.as_str()))
    }

    pub(super) fn talk<'a>(&'a self, folder: &'a Path) -> Talk<'a> {
        Talk {
            disk: &self.disk,
            folder,
        }
    }

    pub(super) fn turn(&self, folder: &Path) -> Arc<Mutex<()>> {
        turns::of(folder, self.process)
    }

    /// What is known of the run in a folder; `None` if there is none.
    pub(super) fn info_in(&self, folder: &Path) -> Result<Option<Begun>, StoreError> {
        let path = folder.join("info.json");
        let Some(bytes) = self.disk.read(&path)? else {
            return Ok(None);
        };
        let corrupt = |error: serde_json::Error| {
            let message = format!("{} is not that of a run: {error}", path.display());
            StoreError::new(StoreErrorKind::Corrupt, message)
        };
        let head: Head = serde_json::from_slice(&bytes).map_err(corrupt)?;
        if head.version > line::VERSION {
            return Err(line::newer(head.version));
        }
        serde_json::from_slice(&bytes).map(Some).map_err(corrupt)
    }
}

impl RunFolder<'_> {
    pub(super) fn log(&self) -> Log<'_> {
        Log {
            disk: &self.place.disk,
            folder: &self.path,
        }
    }

    pub(super) fn inbox(&self) -> PathBuf {
        self.path.join(inbox::FOLDER)
    }

    /// Names the run in an error about what is stored.
    pub(super) fn named(&self, error: StoreError) -> StoreError {
        let is_of_store = matches!(
            error.kind,
            StoreErrorKind::Corrupt | StoreErrorKind::Newer | StoreErrorKind::Unavailable
        );
        if is_of_store && error.run_id.is_none() {
            return error.with_run(self.run);
        }
        error
    }

    pub(super) fn info(&self) -> Result<Begun, StoreError> {
        let info = self
            .place
            .info_in(&self.path)
            .map_err(|error| self.named(error))?;
        let info = info.ok_or_else(|| StoreError::no_run(self.run))?;
        if &info.info.run_id == self.run {
            return Ok(info);
        }
        let message = format!("its folder is that of run {}", info.info.run_id);
        Err(self.named(StoreError::new(StoreErrorKind::Corrupt, message)))
    }

    /// What is known of the run; `None` if that is damaged.
    pub(super) fn info_if_whole(&self) -> Result<Option<Begun>, StoreError> {
        match self.info() {
            Err(error) if error.kind == StoreErrorKind::Corrupt => Ok(None),
            info => info.map(Some),
        }
    }

    pub(super) fn state(&self, wanted: Option<Wanted<'_>>) -> Result<State, StoreError> {
        let state = self.log().read(wanted).map_err(|error| self.named(error))?;
        state.ok_or_else(|| StoreError::no_run(self.run))
    }

    /// The time until which a driver holds the run.
    pub(super) fn held_until(&self, state: &State) -> Result<Option<SystemTime>, StoreError> {
        if state.newest != state.token {
            // Somebody takes the lease, or died while taking it.
            let changed = self.place.disk.changed(&self.log().segment(state.newest))?;
            let until = changed.map(|changed| changed + log::GRACE);
            // A file from the future is that of a clock that was set back.
            let now = SystemTime::now();
            if until.is_some_and(|until| until > now && until <= now + 2 * log::GRACE) {
                return Ok(until);
            }
        }
        Ok(state.until_ms.map(line::from_ms))
    }
}
