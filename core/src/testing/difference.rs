//! The difference between two texts, line by line.

use std::fmt::Write as _;

use similar::{Algorithm, ChangeTag, capture_diff_slices};

use crate::visible::visible;

/// The start of a line that begins a section.
const HEADING: &str = "== ";

/// The number of equal lines that are shown around different ones.
const CONTEXT: usize = 2;

/// A line after its mark: `-` for one of the old text only, `+` for one of the new, a space for one of both.
type Line<'t> = (char, &'t str);

/// The lines that are only in the old text, as `-`, and those only in the new one, as `+`, with few
/// lines around them and the section that they are in.
pub fn between(old: &str, new: &str) -> String {
    let lines = lines(
        &old.lines().collect::<Vec<_>>(),
        &new.lines().collect::<Vec<_>>(),
    );
    let headings: Vec<_> = lines
        .iter()
        .enumerate()
        .filter(|(_, (_, line))| line.starts_with(HEADING))
        .map(|(place, _)| place)
        .collect();
    let heading_before = |place: usize| {
        let before = headings.partition_point(|heading| *heading <= place);
        before.checked_sub(1).map(|last| headings[last])
    };
    let mut shown = vec![false; lines.len()];
    for (place, _) in lines
        .iter()
        .enumerate()
        .filter(|(_, (mark, _))| *mark != ' ')
    {
        // What is around a line is of the same section.
        let first = heading_before(place).map_or(0, |heading| (heading + 1).min(place));
        let next = headings.partition_point(|heading| *heading <= place);
        let last = headings.get(next).copied().unwrap_or(lines.len());
        let from = place.saturating_sub(CONTEXT).max(first);
        shown[from..(place + CONTEXT + 1).min(last)].fill(true);
    }
    let mut text = String::new();
    for (place, line) in lines.iter().enumerate().filter(|(place, _)| shown[*place]) {
        let heading = heading_before(place);
        if place == 0 || !shown[place - 1] || heading == Some(place) {
            let section = heading.map_or("", |heading| &lines[heading].1[HEADING.len()..]);
            let _ = writeln!(text, "{}", format!("@@ {section}").trim_end());
        }
        let (mark, line) = line;
        let space = if line.is_empty() { "" } else { " " };
        let _ = writeln!(text, "{mark}{space}{}", visible(line));
    }
    text
}

/// The lines of both texts, in an order that keeps those of each.
fn lines<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Line<'t>> {
    let operations = capture_diff_slices(Algorithm::Myers, old, new);
    let changes = operations
        .iter()
        .flat_map(|each| each.iter_changes(old, new));
    let mark = |tag| match tag {
        ChangeTag::Equal => ' ',
        ChangeTag::Delete => '-',
        ChangeTag::Insert => '+',
    };
    changes
        .map(|change| (mark(change.tag()), change.value()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Line, between, lines};

    #[test]
    fn few_lines_stand_around_what_changed() {
        let old = "a\n\n== one\n> One.\n{\n  x\n  y\n  z\n}\n\n== two\n> Two.\n{\n}\n";
        let new = old
            .replace("  y\n", "  Y\n")
            .replace("> Two.\n", "> Too.\n>\n");
        let expected = concat!(
            "@@ one\n  {\n    x\n-   y\n+   Y\n    z\n  }\n",
            "@@ two\n- > Two.\n+ > Too.\n+ >\n  {\n  }\n"
        );
        assert_eq!(between(old, &new), expected);
    }

    #[test]
    fn the_lines_of_each_text_are_kept() {
        let texts: [&[&str]; 6] = [
            &[],
            &["a"],
            &["a", "b"],
            &["b", "a"],
            &["a", "a", "b"],
            &["c", "b", "a", "b"],
        ];
        for old in texts {
            for new in texts {
                let lines = lines(old, new);
                let of = |skipped: fn(&Line<'_>) -> bool| {
                    let kept = lines.iter().filter(|line| !skipped(line));
                    kept.map(|(_, line)| *line).collect::<Vec<_>>()
                };
                assert_eq!(of(|line| line.0 == '+'), old);
                assert_eq!(of(|line| line.0 == '-'), new);
            }
        }
    }

    #[test]
    fn few_changes_in_many_sections_stay_few() {
        let section = |name: usize| {
            let lines: Vec<_> = (0..30).map(|line| format!("  {line}")).collect();
            let lines = lines.join("\n");
            format!("\n== tool_{name}\n> Does {name}.\n{lines}\n")
        };
        let sections: Vec<_> = (0..300).map(section).collect();
        let old = sections.concat();
        let new = old
            .replace("> Does 0.\n", "> Does it.\n")
            .replace("> Does 299.\n", "> Does that.\n");
        let told = between(&old, &new);
        assert_eq!(
            told.lines()
                .filter(|line| line.starts_with(['-', '+']))
                .count(),
            4,
            "{told}"
        );
    }

    #[test]
    fn a_space_that_differs_is_seen() {
        assert_eq!(
            between("> Reads. \n", "> Reads.\n"),
            "@@\n- > Reads.\\u{20}\n+ > Reads.\n"
        );
    }

    #[test]
    fn many_lines_are_not_compared_with_each_other() {
        let (old, new) = ("old\n".repeat(9_000), "new\n".repeat(9_000));
        assert_eq!(between(&old, &new).lines().count(), 1 + 2 * 9_000);
    }
}
