//! The ways in which a network cuts a body.

use crate::exhaustive::one_of;

/// Bodies longer than this are not cut at every byte.
const LONG: usize = 64 * 1024;
/// How many cuts of a long body are tried.
const CUTS_OF_LONG: usize = 3000;

/// Of so many bytes a body is cut at one, where a test is not exhaustive.
const ONE_OF: usize = 7;

/// Hands out the body cut in two at every byte, or at many bytes if it is long.
pub(crate) fn cut_in_two(body: &[u8], mut check: impl FnMut(&[&[u8]], usize)) {
    let mut at = |cut: usize| {
        let (first, second) = body.split_at(cut);
        check(&[first, second], cut);
    };
    if body.len() <= LONG {
        let one_of = one_of(ONE_OF);
        // Each body begins elsewhere, so that no place in an event is left out.
        let first = 1 + body.len() % one_of;
        (first..body.len()).step_by(one_of).for_each(at);
        return;
    }
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    for _ in 0..CUTS_OF_LONG / one_of(ONE_OF) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        at(usize::try_from(random % body.len() as u64).expect("is less than a length"));
    }
}

/// The body byte by byte.
pub(crate) fn bytes(body: &[u8]) -> Vec<&[u8]> {
    body.chunks(1).collect()
}
