//! Words that are almost another.

/// The word that was probably meant: one that begins alike, else one that is near.
pub(crate) fn nearest<'w>(word: &str, known: &[&'w str]) -> Option<&'w str> {
    let alike = |known: &str| {
        let same = word.chars().zip(known.chars());
        same.take_while(|(a, b)| a == b).count()
    };
    let begins = known.iter().copied().max_by_key(|known| alike(known));
    // Half of what was written, and more than a syllable of it.
    let begins = begins.filter(|known| alike(known) >= word.chars().count().div_ceil(2).max(4));
    begins.or_else(|| known.iter().copied().find(|known| is_near(word, known)))
}

/// Returns true if two names differ in at most two characters.
pub(crate) fn is_near(a: &str, b: &str) -> bool {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (index, a) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, b) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[b.len()] <= 2
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn what_begins_alike_is_meant_before_what_is_near() {
        let known = [
            "name",
            "retries",
            "rate_limit",
            "max_output",
            "max_depth",
            "read_only",
        ];
        for (word, meant) in [
            ("retry", Some("retries")),
            ("rate", Some("rate_limit")),
            ("nam", Some("name")),
            ("nme", Some("name")),
            ("readonly", Some("read_only")),
            ("max_dept", Some("max_depth")),
            ("max_bytes", None),
            ("zebra", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, &known), meant, "{word}");
        }
    }
}
