//! Random damage.

/// Numbers that are the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit.max(1) as u64).expect("is less than a length")
    }
}

/// Damages a body in a few places.
pub(crate) fn damage(body: &mut Vec<u8>, random: &mut Random) {
    const PIECES: &[&[u8]] = &[
        b"null",
        b"[]",
        b"{}",
        b"\"\"",
        b"-1",
        b"1e999",
        b"[[[[",
        b"\n\n",
        b"\r",
        b"\xFF",
        b"data:",
        b"99999999999999999999",
        b"\\ud800",
        b"true",
        b":",
        b"\x0C",
        b"\xEF\xBB\xBF",
        b"{\"a\":",
        b"18446744073709551615",
    ];
    for _ in 0..=random.below(3) {
        let at = random.below(body.len() + 1);
        let end = (at + random.below(12)).min(body.len());
        match random.below(5) {
            0 => body.truncate(at),
            1 => drop(body.drain(at..end)),
            2 if at < body.len() => body[at] ^= 1 << random.below(8),
            3 => {
                let again = body[at..end].to_vec();
                body.splice(at..at, again);
            }
            _ => {
                let piece = PIECES[random.below(PIECES.len())];
                body.splice(at..end, piece.iter().copied());
            }
        }
    }
}
