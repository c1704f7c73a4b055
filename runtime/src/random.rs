//! The source of randomness.

use std::{
    hash::{BuildHasher, RandomState},
    time::SystemTime,
};

/// 128 bits in hexadecimal, from the seed that the standard library draws for its hash maps and from
/// the time: enough to tell runs and batches apart, and no secret.
pub(crate) fn new_id() -> String {
    format!("{:016x}{:016x}", bits(), bits())
}

/// A number from 0 to 1, evenly.
pub(crate) fn fraction() -> f64 {
    // 32 bits are enough for a wait, and every one of them is a float.
    f64::from(u32::try_from(bits() >> 32).unwrap_or(u32::MAX)) / f64::from(u32::MAX)
}

fn bits() -> u64 {
    RandomState::new().hash_one(SystemTime::now())
}
