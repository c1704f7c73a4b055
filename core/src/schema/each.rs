//! Loops over slices in constants, where no iterator runs.

/// Runs a block for each item of a slice, which it gets by reference.
macro_rules! each {
    ($item:pat in $items:expr => $body:block) => {{
        let mut rest: &[_] = $items;
        while let [$item, after @ ..] = rest {
            rest = after;
            $body
        }
    }};
}

/// True if a condition holds for an item of a slice.
macro_rules! any {
    ($items:expr, |$item:pat_param| $holds:expr) => {{
        let mut rest: &[_] = $items;
        let mut found = false;
        while let ([$item, after @ ..], false) = (rest, found) {
            rest = after;
            found = $holds;
        }
        found
    }};
}

pub(crate) use {any, each};
