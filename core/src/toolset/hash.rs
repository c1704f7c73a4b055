//! The hasher for the names of tools.

use std::hash::{BuildHasherDefault, Hasher};

/// Makes a [`NameHasher`].
pub(super) type HashNames = BuildHasherDefault<NameHasher>;

/// Multiplies eight bytes at a time, as the compiler's own hasher does. Names are short and few, and
/// who calls a tool adds none to the map, so that names made to meet would harm only their author.
#[derive(Default)]
pub(super) struct NameHasher(u64);

impl NameHasher {
    #[inline]
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Hasher for NameHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        if let Some(last) = bytes.last_chunk::<8>() {
            let (words, _) = bytes.as_chunks::<8>();
            for word in words {
                self.mix(u64::from_le_bytes(*word));
            }
            // The end once more, in place of what is left over.
            self.mix(u64::from_le_bytes(*last));
        } else {
            let word = bytes
                .iter()
                .fold(0, |word, byte| word << 8 | u64::from(*byte));
            self.mix(word);
        }
    }

    #[inline]
    fn write_u8(&mut self, byte: u8) {
        self.mix(byte.into());
    }

    #[inline]
    fn finish(&self) -> u64 {
        // The map looks at the lowest bits, which a product mixes least.
        self.0.rotate_left(26)
    }
}
