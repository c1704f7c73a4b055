//! The difference between two texts, line by line.

use std::fmt::Write as _;

use super::visible::visible;

/// The start of a line that begins a section.
const HEADING: &str = "== ";

/// The number of equal lines that are shown around different ones.
const CONTEXT: usize = 2;

/// The limit of pairs of lines that are compared. Lines beyond it are shown as wholly new.
const MAX_PAIRS: usize = 4_000_000;

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

/// The lines of both texts, in an order that keeps those of each: section by section, so that few
/// changes in a long text stay few.
fn lines<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Line<'t>> {
    let (old, new) = (sections(old), sections(new));
    let names =
        |sections: &[&[&'t str]]| -> Vec<_> { sections.iter().map(|section| section[0]).collect() };
    let mut names_of_both = Vec::new();
    aligned(&names(&old), &names(&new), &mut names_of_both);
    let (mut old, mut new) = (old.into_iter(), new.into_iter());
    let mut lines = Vec::new();
    for (mark, _) in names_of_both {
        match mark {
            ' ' => {
                let (old, new) = (old.next(), new.next());
                aligned(old.unwrap_or_default(), new.unwrap_or_default(), &mut lines);
            }
            '-' => lines.extend(marked('-', old.next().unwrap_or_default())),
            _ => lines.extend(marked('+', new.next().unwrap_or_default())),
        }
    }
    lines
}

/// The lines from each heading to the next.
fn sections<'l, 't>(lines: &'l [&'t str]) -> Vec<&'l [&'t str]> {
    let mut sections = Vec::new();
    let mut rest = lines;
    while !rest.is_empty() {
        let next = rest
            .iter()
            .skip(1)
            .position(|line| line.starts_with(HEADING));
        let (section, after) = rest.split_at(next.map_or(rest.len(), |next| next + 1));
        sections.push(section);
        rest = after;
    }
    sections
}

/// Aligns two texts: the equal lines at the start and at the end, and matching lines in between.
fn aligned<'t>(old: &[&'t str], new: &[&'t str], lines: &mut Vec<Line<'t>>) {
    let same = |(old, new): &(&&str, &&str)| old == new;
    let before = old.iter().zip(new).take_while(same).count();
    let (old_rest, new_rest) = (&old[before..], &new[before..]);
    let after = old_rest.iter().rev().zip(new_rest.iter().rev());
    let after = after.take_while(same).count();
    let (old_rest, end) = old_rest.split_at(old_rest.len() - after);
    let new_rest = &new_rest[..new_rest.len() - after];
    lines.extend(marked(' ', &old[..before]));
    changed(old_rest, new_rest, lines);
    lines.extend(marked(' ', end));
}

/// Compares lines by their longest common subsequence.
fn changed<'t>(old: &[&'t str], new: &[&'t str], lines: &mut Vec<Line<'t>>) {
    let (mut o, mut n) = (0, 0);
    if old.len().saturating_mul(new.len()) <= MAX_PAIRS {
        let width = new.len() + 1;
        // How many lines the rests have in common.
        let mut common = vec![0_u32; (old.len() + 1) * width];
        for o in (0..old.len()).rev() {
            for n in (0..new.len()).rev() {
                common[o * width + n] = if old[o] == new[n] {
                    common[(o + 1) * width + n + 1] + 1
                } else {
                    common[(o + 1) * width + n].max(common[o * width + n + 1])
                };
            }
        }
        while o < old.len() && n < new.len() {
            if old[o] == new[n] {
                lines.push((' ', old[o]));
                (o, n) = (o + 1, n + 1);
            } else if common[(o + 1) * width + n] >= common[o * width + n + 1] {
                lines.push(('-', old[o]));
                o += 1;
            } else {
                lines.push(('+', new[n]));
                n += 1;
            }
        }
    }
    lines.extend(marked('-', &old[o..]));
    lines.extend(marked('+', &new[n..]));
}

fn marked<'t>(mark: char, lines: &[&'t str]) -> impl Iterator<Item = Line<'t>> {
    lines.iter().map(move |line| (mark, *line))
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
