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
    if from.is_ascii() && to.is_ascii() {
        return slips(from.as_bytes(), to.as_bytes());
    }
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    slips(&from, &to)
}

/// Goes through the table of the distances between the beginnings of two lists, a column at a time. Neighbours in a
/// column differ by one at most, so that it is two words of bits (Hyyrö 2003, after Myers): one of two names has no
/// more characters than a word has bits.
fn slips<T: PartialEq>(from: &[T], to: &[T]) -> usize {
    let (rows, columns) = if from.len() <= to.len() {
        (from, to)
    } else {
        (to, from)
    };
    let Some(last) = rows.len().checked_sub(1).filter(|last| *last < 64) else {
        return columns.len();
    };
    let (mut slips, mut more, mut less) = (rows.len(), u64::MAX, 0);
    let (mut kept, mut same_before) = (0_u64, 0);
    for character in columns {
        let bits = rows.iter().rev().map(|row| u64::from(row == character));
        let same = bits.fold(0, |bits, bit| bits << 1 | bit);
        let swapped = ((!kept & same) << 1) & same_before;
        kept = ((same & more).wrapping_add(more) ^ more) | same | less | swapped;
        // The differences to the column before, of which the last row counts.
        let (right, wrong) = (kept & more, less | !(kept | more));
        slips += (wrong >> last & 1) as usize;
        slips -= (right >> last & 1) as usize;
        let wrong = wrong << 1 | 1;
        (more, less) = (right << 1 | !(kept | wrong), kept & wrong);
        same_before = same;
    }
    slips
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

    /// The distance by its definition.
    fn slow(from: &[u8], to: &[u8]) -> usize {
        let ([first, from_rest @ ..], [other, to_rest @ ..]) = (from, to) else {
            return from.len().max(to.len());
        };
        let replaced = usize::from(first != other) + slow(from_rest, to_rest);
        let one_less = 1 + slow(from_rest, to).min(slow(from, to_rest));
        match (from, to) {
            ([a, b, from @ ..], [c, d, to @ ..]) if a == d && b == c => {
                replaced.min(one_less).min(1 + slow(from, to))
            }
            _ => replaced.min(one_less),
        }
    }

    #[test]
    fn the_distance_is_that_of_its_definition() {
        let mut names = vec![String::new()];
        for start in 0..31 {
            for letter in ["a", "b"] {
                names.push(format!("{}{letter}", names[start]));
            }
        }
        names.extend(["abcab", "cabba"].map(str::to_owned));
        for from in &names {
            for to in &names {
                let expected = slow(from.as_bytes(), to.as_bytes());
                assert_eq!(distance(from, to), expected, "{from} {to}");
                // In other letters, and with as many characters as a word has bits.
                let [wide, other] = [from, to].map(|name| name.replace('a', "é"));
                assert_eq!(distance(&wide, &other), expected, "{wide} {other}");
                let [long, other] = [from, to].map(|name| "x".repeat(59) + name);
                assert_eq!(distance(&long, &other), expected, "{long} {other}");
            }
        }
    }
}
