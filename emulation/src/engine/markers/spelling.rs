//! The first bytes of markers, however they are spelled.

use super::Marker;

impl Marker {
    /// Returns false for the third byte of another text, from the byte by which it is found: most texts differ there.
    pub(super) fn may_have(&self, third: Option<u8>) -> bool {
        // A bar in front of it may be spelled with another number of bytes.
        let own = self.text.as_bytes().get(self.head + 1..self.head + 3);
        match (own, third) {
            (Some(&[next, own]), Some(third)) if next.is_ascii() && next != b'|' => {
                may_be(own, third)
            }
            _ => true,
        }
    }

    /// Returns false for the fourth byte of another text, from the byte by which it is found.
    pub(super) fn may_have_fourth(&self, fourth: u8) -> bool {
        let own = self.text.as_bytes().get(self.head + 1..self.head + 4);
        match own {
            Some(&[next, third, own]) if next.is_ascii() && third.is_ascii() => {
                // A bar or a line in front of it may be spelled with another number of bytes.
                next == b'|' || matches!(third, b'|' | b'_' | b' ') || may_be(own, fourth)
            }
            _ => true,
        }
    }
}

/// Returns true if a byte of a marker may be written as another one. Space may stand before the end of a tag.
fn may_be(own: u8, written: u8) -> bool {
    folded(own) == folded(written) || own == b'>' && written == b' '
}

/// A byte, the same for all spellings of a character.
fn folded(byte: u8) -> u8 {
    match byte {
        0xef => b'|',
        0xe2 | b' ' => b'_',
        byte => byte.to_ascii_lowercase(),
    }
}
