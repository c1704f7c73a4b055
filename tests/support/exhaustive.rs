//! How many of its cases a long test runs: all of them where `TOOLWRIGHT_EXHAUSTIVE` is set, as in `.ci/run`.

/// Returns true if every case runs.
pub(crate) fn is_exhaustive() -> bool {
    std::env::var_os("TOOLWRIGHT_EXHAUSTIVE").is_some()
}

/// Of so many cases one runs, where not all of them do.
pub(crate) fn one_of(many: usize) -> usize {
    if is_exhaustive() { 1 } else { many }
}
