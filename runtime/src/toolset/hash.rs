//! How the names of tools are hashed.

use std::hash::{BuildHasherDefault, Hasher};

/// Makes a [`NameHasher`].
pub(super) type HashNames = BuildHasherDefault<NameHasher>;

/// FNV-1a: names are short, and the program chose all that are in the map, so that nobody can make
/// them meet by looking one up.
pub(super) struct NameHasher(u64);

impl Default for NameHasher {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for NameHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}
