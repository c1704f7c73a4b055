//! A search for the known name that was meant.

/// The names, those that are most like `name` first.
pub(crate) fn nearest_first<'a>(name: &str, known: &[&'a str]) -> Vec<&'a str> {
    let mut names = known.to_vec();
    // A key that is much longer than any name resembles none, and need not be measured.
    if name.len() <= MAX_NAME {
        names.sort_by_cached_key(|known| likeness(name, known));
    }
    names
}

/// The greatest length of a name that is compared, in bytes.
const MAX_NAME: usize = 64;

/// Returns the difference between a name and a known one, in its letters and in their case: less is nearer.
pub(crate) fn likeness(name: &str, known: &str) -> (usize, usize) {
    if name.len() > MAX_NAME || known.len() > 4 * MAX_NAME {
        return (usize::MAX, 0);
    }
    let slips = distance(name, known);
    let is_lower = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase())
    };
    if is_lower(name) && is_lower(known) {
        return (slips, slips);
    }
    (distance(&name.to_lowercase(), &known.to_lowercase()), slips)
}

/// The name that was probably meant: one that differs in two characters at most.
pub(crate) fn near<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let measured = known
        .filter(|known| known.len().abs_diff(name.len()) <= 8)
        .map(|known| (distance(name, known), known));
    let (slips, known) = measured.min_by_key(|(slips, _)| *slips)?;
    (slips <= 2).then_some(known)
}

/// Returns the number of characters to add, remove, replace or swap to get from one to the other.
fn distance(from: &str, to: &str) -> usize {
    if from.is_ascii() && to.len() < SHORT && to.is_ascii() {
        return slips(from.as_bytes(), to.as_bytes(), &mut [0; 3 * SHORT]);
    }
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    slips(&from, &to, &mut vec![0; 3 * (to.len() + 1)])
}

/// Names that are shorter are compared without memory of their own.
const SHORT: usize = 32;

/// Fills the table of the distances between the beginnings of two lists. Of its rows three are of use: two that are
/// behind, and the one that is filled.
fn slips<T: PartialEq + Copy>(from: &[T], to: &[T], rows: &mut [usize]) -> usize {
    let width = to.len() + 1;
    let (mut row, rest) = rows.split_at_mut(width);
    let (mut before, rest) = rest.split_at_mut(width);
    let mut last = &mut rest[..width];
    for (column, slips) in last.iter_mut().enumerate() {
        *slips = column;
    }
    let mut previous = None;
    for (number, &character) in from.iter().enumerate() {
        row[0] = number + 1;
        for (column, other) in to.iter().enumerate() {
            let same = character == *other;
            let mut best = (last[column] + usize::from(!same))
                .min(last[column + 1] + 1)
                .min(row[column] + 1);
            let swapped = column > 0 && previous == Some(*other) && character == to[column - 1];
            if swapped {
                best = best.min(before[column - 1] + 1);
            }
            row[column + 1] = best;
        }
        previous = Some(character);
        (before, last, row) = (last, row, before);
    }
    last[to.len()]
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn a_slip_is_near() {
        for (from, to, expected) in [
            ("city", "city", 0),
            ("ctiy", "city", 1),
            ("cty", "city", 1),
            ("", "city", 4),
            ("unit", "city", 3),
            ("abcd", "badc", 2),
            ("city", "", 4),
            ("a cat", "an act", 2),
        ] {
            assert_eq!(distance(from, to), expected, "{from} {to}");
        }
    }
}
