//! The lines of a difference, short where the texts are long.

use std::fmt::Write as _;

use toolwright_json::char_boundary;

use toolwright_core::{driver::difference, visible_line};

/// The most bytes of a line that are shown.
const LINE_BYTES: usize = 200;

/// The bytes that are shown before the first one that differs.
const BEFORE: usize = 40;

/// The most lines that are shown of one place.
const LINES: usize = 16;

/// The lines that were there then, after `-`, and those that are there now, after `+`.
pub(super) fn of_difference(then: Option<&str>, now: Option<&str>) -> String {
    let lines = match (then, now) {
        (Some(then), Some(now)) if then.contains('\n') || now.contains('\n') => {
            of_lines(&difference(then, now))
        }
        (Some(then), Some(now)) => pair(&visible_line(then), &visible_line(now)).into(),
        (then, now) => {
            let only = |mark, text: &str| format!("{mark} {}", from(&visible_line(text), 0));
            let then = then.map(|text| only('-', text));
            then.into_iter()
                .chain(now.map(|text| only('+', text)))
                .collect()
        }
    };
    let more = lines.len().saturating_sub(LINES);
    let mut text = String::new();
    for line in lines.iter().take(LINES) {
        text.push_str(line);
        text.push('\n');
    }
    if more > 0 {
        let _ = writeln!(text, "… and {more} more lines");
    }
    text
}

/// Lines that replace as many others are shown from where they differ.
fn of_lines(difference: &str) -> Vec<String> {
    let mut short = Vec::new();
    let (mut gone, mut new) = (Vec::new(), Vec::new());
    let flush = |gone: &mut Vec<&str>, new: &mut Vec<&str>, short: &mut Vec<String>| {
        if gone.len() == new.len() {
            let pairs = gone.iter().zip(&*new).map(|(gone, new)| pair(gone, new));
            let (gone, new): (Vec<_>, Vec<_>) = pairs.map(|[gone, new]| (gone, new)).unzip();
            short.extend(gone.into_iter().chain(new));
        } else {
            short.extend(gone.iter().map(|line| format!("- {}", from(line, 0))));
            short.extend(new.iter().map(|line| format!("+ {}", from(line, 0))));
        }
        gone.clear();
        new.clear();
    };
    for line in difference.lines().filter(|line| !line.starts_with("@@")) {
        let (mark, text) = line.split_at(1);
        let text = text.strip_prefix(' ').unwrap_or(text);
        match mark {
            "-" if new.is_empty() => gone.push(text),
            "+" => new.push(text),
            _ => {
                flush(&mut gone, &mut new, &mut short);
                match mark {
                    "-" => gone.push(text),
                    _ => short.push(format!("  {}", from(text, 0)).trim_end().to_owned()),
                }
            }
        }
    }
    flush(&mut gone, &mut new, &mut short);
    short
}

/// Two lines, from a little before the place where they differ if one of them is long.
fn pair(then: &str, now: &str) -> [String; 2] {
    let is_short = then.len().max(now.len()) <= LINE_BYTES;
    let same = then
        .bytes()
        .zip(now.bytes())
        .take_while(|(then, now)| then == now);
    let start = if is_short {
        0
    } else {
        same.count().saturating_sub(BEFORE)
    };
    [
        format!("- {}", from(then, start)),
        format!("+ {}", from(now, start)),
    ]
}

/// The part of a line that begins at a byte, with `…` where something is left out.
fn from(line: &str, start: usize) -> String {
    let start = char_boundary::floor(line, start);
    let end = char_boundary::floor(line, start + LINE_BYTES);
    let before = if start > 0 { "…" } else { "" };
    let after = if end < line.len() { "…" } else { "" };
    format!("{before}{}{after}", &line[start..end])
}
