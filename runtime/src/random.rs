//! The source of randomness.

use std::{
    cell::Cell,
    hash::{BuildHasher, RandomState},
    num::NonZeroU64,
    time::SystemTime,
};

use toolwright_core::driver::DrawnId;

/// 128 bits in hexadecimal, from the seed that the standard library draws for its hash maps and from
/// the time: enough to tell runs and batches apart, and no secret.
pub(crate) fn new_id() -> String {
    format!("{:016x}{:016x}", bits(), bits())
}

/// The number of ids that a thread takes from one draw.
const BLOCK: u32 = 64;

thread_local! {
    /// The next id, and how many of its block are left.
    static NEXT: Cell<(DrawnId, u32)> = const { Cell::new((DrawnId { block: NonZeroU64::MIN, number: 0 }, 0)) };
}

/// The id of a batch, which no other call of this function gives.
pub(crate) fn draw_id() -> DrawnId {
    let next = |place: &Cell<(DrawnId, u32)>| {
        let (id, left) = match place.get() {
            (_, 0) => (block(), BLOCK),
            drawn => drawn,
        };
        let number = id.number.wrapping_add(1);
        place.set((DrawnId { number, ..id }, left - 1));
        // Processes that are copies of one in memory go on with the same block, at other times.
        let block = id.block.get() ^ clock();
        DrawnId {
            block: NonZeroU64::new(block).unwrap_or(id.block),
            ..id
        }
    };
    // A thread that ends has no place any more.
    NEXT.try_with(next).unwrap_or_else(|_| block())
}

/// The first id of a block.
fn block() -> DrawnId {
    DrawnId {
        block: NonZeroU64::new(bits()).unwrap_or(NonZeroU64::MIN),
        number: bits(),
    }
}

/// A number from 0 to 1, evenly.
pub(crate) fn fraction() -> f64 {
    // 32 bits are enough for a wait, and every one of them is a float.
    f64::from(u32::try_from(bits() >> 32).unwrap_or(u32::MAX)) / f64::from(u32::MAX)
}

/// The nanoseconds of the clock.
fn clock() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
    })
}

fn bits() -> u64 {
    RandomState::new().hash_one(SystemTime::now())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_id_is_drawn_twice() {
        let draw = || (0..3 * BLOCK).map(|_| draw_id()).collect::<Vec<_>>();
        let other = std::thread::spawn(draw).join().expect("nothing panics");
        let ids: BTreeSet<_> = draw().into_iter().chain(other).map(DrawnId::text).collect();
        assert_eq!(ids.len(), 6 * BLOCK as usize);
        assert!(ids.iter().all(|id| id.len() == 32));
    }
}
