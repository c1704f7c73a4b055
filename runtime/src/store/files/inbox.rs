//! The inbox of a run: a file for each item.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{
    disk::{Disk, Survives},
    line::{self, Gate},
    names::{self, Kind},
};
use crate::{
    random,
    store::{InboxItem, Received, StoreError, StoreErrorKind},
};

/// The name of its folder in that of the run.
pub(super) const FOLDER: &str = "inbox";

/// What stands at a place.
#[derive(Serialize, Deserialize)]
struct Stored {
    version: u32,
    /// An item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    item: Option<InboxItem>,
    /// The id of a gate: the run was suspended with nothing before it that was not taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gate: Option<String>,
}

#[derive(Deserialize)]
struct Head {
    version: u32,
}

fn read(disk: &Disk, folder: &Path, place: u64) -> Result<Option<Stored>, StoreError> {
    let path = folder.join(names::numbered(Kind::Item, place));
    let Some(bytes) = disk.read(&path)? else {
        return Ok(None);
    };
    let corrupt = |error: serde_json::Error| {
        let message = format!("{} is no item of an inbox: {error}", path.display());
        StoreError::new(StoreErrorKind::Corrupt, message)
    };
    let head: Head = serde_json::from_slice(&bytes).map_err(corrupt)?;
    if head.version > line::VERSION {
        return Err(line::newer(head.version));
    }
    serde_json::from_slice(&bytes).map(Some).map_err(corrupt)
}

/// The places after this one that are taken, in order, without a gap: who reads a folder may find a name that came
/// meanwhile, and not the one that came before it. Empty if the folder is gone.
pub(super) fn places(disk: &Disk, folder: &Path, after: u64) -> Result<Vec<u64>, StoreError> {
    let names = disk.names(folder)?.unwrap_or_default();
    let places = names
        .iter()
        .filter_map(|name| names::number_of(Kind::Item, name));
    let mut places: Vec<_> = places.filter(|place| *place > after).collect();
    places.sort_unstable();
    let whole = (1..)
        .zip(&places)
        .take_while(|(count, place)| after.checked_add(*count) == Some(**place));
    places.truncate(whole.count());
    Ok(places)
}

/// The items after this place, in order.
pub(super) fn items(disk: &Disk, folder: &Path, after: u64) -> Result<Vec<Received>, StoreError> {
    let mut items = Vec::new();
    for place in places(disk, folder, after)? {
        if let Some(item) = read(disk, folder, place)?.and_then(|stored| stored.item) {
            items.push(Received::new(place, item));
        }
    }
    Ok(items)
}

/// The place of the item of this id; `None` if there is none.
pub(super) fn place_of(disk: &Disk, folder: &Path, id: &str) -> Result<Option<u64>, StoreError> {
    let items = items(disk, folder, 0)?;
    let mut items = items.iter();
    let found = items.find(|received| received.item.id() == id);
    Ok(found.map(|received| received.place))
}

/// Puts an item at the next place, unless there is one of its id. Gives its place.
pub(super) fn put(disk: &Disk, folder: &Path, item: &InboxItem) -> Result<u64, StoreError> {
    let stored = Stored {
        version: line::VERSION,
        item: Some(item.clone()),
        gate: None,
    };
    let mut last = 0;
    loop {
        // Nobody puts anything before the last place: what is there was put since it was looked at.
        for place in places(disk, folder, last)? {
            let there = read(disk, folder, place)?.and_then(|stored| stored.item);
            if there.is_some_and(|there| there.id() == item.id()) {
                // Whoever put it may have died before its name was synced.
                disk.sync_folder(folder)?;
                return Ok(place);
            }
            last = place;
        }
        let next = last.saturating_add(1);
        if put_at(disk, folder, next, &stored, Survives::Power)? {
            return Ok(next);
        }
    }
}

fn put_at(
    disk: &Disk,
    folder: &Path,
    place: u64,
    stored: &Stored,
    survives: Survives,
) -> Result<bool, StoreError> {
    let mut bytes = Vec::new();
    line::push(&mut bytes, stored)?;
    disk.put(
        &folder.join(names::numbered(Kind::Item, place)),
        &bytes,
        survives,
    )
}

/// A gate for the next place, if every item is at this place or before; `None` otherwise.
pub(super) fn next_gate(
    disk: &Disk,
    folder: &Path,
    taken: u64,
) -> Result<Option<Gate>, StoreError> {
    let places = places(disk, folder, 0)?;
    for place in places.iter().filter(|place| **place > taken) {
        if read(disk, folder, *place)?.is_some_and(|stored| stored.item.is_some()) {
            return Ok(None);
        }
    }
    let place = places.last().map_or(1, |last| last.saturating_add(1));
    Ok(Some(Gate {
        place,
        id: random::new_id(),
    }))
}

/// Closes a gate; false if an item has come to its place.
pub(super) fn close(
    disk: &Disk,
    folder: &Path,
    gate: &Gate,
    survives: Survives,
) -> Result<bool, StoreError> {
    let stored = Stored {
        version: line::VERSION,
        item: None,
        gate: Some(gate.id.clone()),
    };
    put_at(disk, folder, gate.place, &stored, survives)
}

/// Returns true if a gate was closed.
pub(super) fn has_gate(disk: &Disk, folder: &Path, gate: &Gate) -> Result<bool, StoreError> {
    let stored = read(disk, folder, gate.place)?;
    Ok(stored.is_some_and(|stored| stored.gate.as_deref() == Some(&gate.id)))
}
