//! The source of randomness.

use std::{
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

/// The id of a batch, which no other call of this function gives.
pub(crate) fn draw_id() -> DrawnId {
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

fn bits() -> u64 {
    RandomState::new().hash_one(SystemTime::now())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_id_is_drawn_twice() {
        let draw = || (0..200).map(|_| draw_id()).collect::<Vec<_>>();
        let other = std::thread::spawn(draw).join().expect("nothing panics");
        let ids: BTreeSet<_> = draw().into_iter().chain(other).map(DrawnId::text).collect();
        assert_eq!(ids.len(), 400);
        assert!(ids.iter().all(|id| id.len() == 32));
    }
}
