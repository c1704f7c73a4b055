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
    let letters = distance(&name.to_lowercase(), &known.to_lowercase());
    (letters, distance(name, known))
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
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut table = vec![vec![0; to.len() + 1]; from.len() + 1];
    for row in 0..=from.len() {
        for column in 0..=to.len() {
            if row == 0 || column == 0 {
                table[row][column] = row + column;
                continue;
            }
            let same = from[row - 1] == to[column - 1];
            let mut best = (table[row - 1][column - 1] + usize::from(!same))
                .min(table[row - 1][column] + 1)
                .min(table[row][column - 1] + 1);
            let swapped = row > 1
                && column > 1
                && from[row - 1] == to[column - 2]
                && from[row - 2] == to[column - 1];
            if swapped {
                best = best.min(table[row - 2][column - 2] + 1);
            }
            table[row][column] = best;
        }
    }
    table[from.len()][to.len()]
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
        ] {
            assert_eq!(distance(from, to), expected, "{from} {to}");
        }
    }
}
