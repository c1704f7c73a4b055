//! Patterns that a provider accepts, in the form in which it accepts them.
//!
//! llama.cpp makes a grammar of a pattern by copying most of it. What it takes for something else than the pattern
//! means, it does not report. So a pattern is read here and written anew, in the few forms that keep their meaning:
//! characters, classes, groups, choices and repetitions. See `common/json-schema-to-grammar.cpp` of
//! <https://github.com/ggml-org/llama.cpp> and its `grammars/README.md`.

use std::{borrow::Cow, fmt::Write as _};

use crate::profile::PatternSupport;

/// The greatest depth of groups that is written. It is far below what llama.cpp takes.
const MAX_DEPTH: usize = 20;
/// Ranges of characters.
type Ranges = Vec<(char, char)>;

/// Characters that JSON escapes in a string. The grammar is one of JSON text, so that it cannot say them.
const ESCAPED: [(char, char); 3] = [('\0', '\u{1f}'), ('"', '"'), ('\\', '\\')];

/// The form in which a pattern is sent, and `None` if it is not. Repetitions of more than `max_bound` are not.
pub(super) fn sent(
    support: PatternSupport,
    pattern: &str,
    max_bound: Option<u64>,
) -> Option<Cow<'_, str>> {
    match support {
        PatternSupport::All => Some(Cow::Borrowed(pattern)),
        PatternSupport::Plain => is_plain(pattern).then_some(Cow::Borrowed(pattern)),
        PatternSupport::Grammar => {
            let mut writer = Writer {
                rest: pattern.strip_prefix('^')?,
                written: "^".to_owned(),
                max: max_bound.unwrap_or(u64::MAX),
            };
            writer.sequence(0)?;
            writer.rest.is_empty().then_some(Cow::Owned(writer.written))
        }
    }
}

/// Returns true if a pattern has no lookaround, back reference or word boundary.
fn is_plain(pattern: &str) -> bool {
    let mut chars = pattern.chars();
    let mut last = ' ';
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                let next = chars.next().unwrap_or(' ');
                if matches!(next, '1'..='9' | 'b' | 'B' | 'k') {
                    return false;
                }
                last = ' ';
                continue;
            }
            '?' if last == '(' => {
                let next = chars.next().unwrap_or(' ');
                if next != ':' {
                    return false;
                }
            }
            _ => {}
        }
        last = c;
    }
    true
}

/// Reads a pattern from its `^` on and writes it for llama.cpp. Its methods return `None` for what has no such form.
struct Writer<'p> {
    rest: &'p str,
    written: String,
    /// The limit on how often a part is repeated by all the repetitions around it.
    max: u64,
}

impl Writer<'_> {
    fn next(&mut self) -> Option<char> {
        let next = self.rest.chars().next()?;
        self.rest = &self.rest[next.len_utf8()..];
        Some(next)
    }

    fn skips(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Writes what is up to the end of a group, or up to the `$` of the whole. Returns how often its most repeated part
    /// is repeated.
    fn sequence(&mut self, depth: usize) -> Option<u64> {
        let mut most = 1;
        // Alternatives without anything in them are left to words.
        let mut is_empty = true;
        loop {
            let next = self.next()?;
            if !is_empty && next == (if depth == 0 { '$' } else { ')' }) {
                self.written.push(next);
                return Some(most);
            }
            // Outside of groups each alternative would need its own ends.
            is_empty = next == '|' && depth > 0 && !is_empty;
            if is_empty {
                self.written.push('|');
                continue;
            }
            let inside = self.part(next, depth)?;
            most = most.max(inside.checked_mul(self.times()?)?);
            if most > self.max {
                return None;
            }
        }
    }

    /// Writes a character, a class or a group. Returns how often its most repeated part is repeated.
    fn part(&mut self, first: char, depth: usize) -> Option<u64> {
        match first {
            '(' if depth < MAX_DEPTH && (self.skips("?:") || !self.rest.starts_with('?')) => {
                self.written.push('(');
                return self.sequence(depth + 1);
            }
            '[' => {
                let is_negated = self.skips("^");
                let ranges = self.class()?;
                self.write(&ranges, is_negated)?;
            }
            '\\' => {
                let ranges = self.escape()?;
                self.write(&ranges, false)?;
            }
            // Braces that are no bounds are characters.
            '{' if bounds(self.rest).is_none() => self.write(&[('{', '{')], false)?,
            '.' | '^' | '$' | '*' | '+' | '?' | '|' | '(' | ')' | '{' => return None,
            c => self.write(&[(c, c)], false)?,
        }
        Some(1)
    }

    /// Writes how often the part before is repeated, if it is, and returns the greatest number that is written out.
    fn times(&mut self) -> Option<u64> {
        let (length, times) = match self.rest.as_bytes() {
            [b'*' | b'+' | b'?', ..] => (1, 1),
            [b'{', ..] => match bounds(&self.rest[1..]) {
                None => return Some(1),
                Some((_, least, most)) if most.is_some_and(|most| most == 0 || most < least) => {
                    return None;
                }
                Some((length, least, most)) => (1 + length, most.unwrap_or(least).max(1)),
            },
            _ => return Some(1),
        };
        self.written.push_str(&self.rest[..length]);
        self.rest = &self.rest[length..];
        // Whether it takes few or many first makes no difference between two ends.
        self.skips("?");
        let is_repeated = self.rest.starts_with(['*', '+', '?'])
            || self
                .rest
                .strip_prefix('{')
                .is_some_and(|rest| bounds(rest).is_some());
        (!is_repeated).then_some(times)
    }

    /// Reads a class behind its beginning.
    fn class(&mut self) -> Option<Ranges> {
        let mut ranges = Vec::new();
        loop {
            let item = match self.next()? {
                ']' => return Some(ranges),
                '\\' => self.escape()?,
                c => vec![(c, c)],
            };
            // A hyphen at the end is one.
            let is_range = self.rest.starts_with('-') && !self.rest.starts_with("-]");
            if !is_range {
                ranges.extend(item);
                continue;
            }
            self.skips("-");
            let end = match self.next()? {
                '\\' => self.escape()?,
                c => vec![(c, c)],
            };
            match (item[..].first(), item.len(), end[..].first(), end.len()) {
                (Some(&(start, same)), 1, Some(&(end, other)), 1)
                    if start == same && end == other && start <= end =>
                {
                    ranges.push((start, end));
                }
                _ => return None,
            }
        }
    }

    /// Reads an escape behind its backslash.
    fn escape(&mut self) -> Option<Ranges> {
        let one = |c: char| Some(vec![(c, c)]);
        match self.next()? {
            'd' => Some(vec![('0', '9')]),
            'w' => Some(vec![('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')]),
            'x' => self.hex(2).and_then(one),
            'u' => self.hex(4).and_then(one),
            // Of the others, letters and digits have a meaning of their own.
            c if c.is_ascii_punctuation() => one(c),
            _ => None,
        }
    }

    /// Reads a character as so many digits.
    fn hex(&mut self, digits: usize) -> Option<char> {
        let text = self.rest.get(..digits)?;
        let is_hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        self.rest = &self.rest[digits..];
        let code = is_hex.then(|| u32::from_str_radix(text, 16).ok())??;
        char::from_u32(code)
    }

    /// Writes a character or a class, unless it has characters that the grammar cannot say.
    fn write(&mut self, ranges: &[(char, char)], is_negated: bool) -> Option<()> {
        let says = |escaped: &(char, char)| {
            if is_negated {
                let is_in = |c| {
                    ranges
                        .iter()
                        .any(|&(start, end)| (start..=end).contains(&c))
                };
                return !(escaped.0..=escaped.1).all(is_in);
            }
            ranges
                .iter()
                .any(|&(start, end)| start <= escaped.1 && escaped.0 <= end)
        };
        if ranges.is_empty() || ESCAPED.iter().any(says) {
            return None;
        }
        // Bytes of other characters and escapes outside of classes are not kept together with their repetition.
        if let (&[(c, same)], false) = (ranges, is_negated)
            && c == same
            && (c.is_ascii_alphanumeric() || " -_:/,@#%&=~;<>!'`".contains(c))
        {
            self.written.push(c);
            return Some(());
        }
        self.written.push_str(if is_negated { "[^" } else { "[" });
        for &(start, end) in ranges {
            self.in_class(start);
            if start < end {
                self.written.push('-');
                self.in_class(end);
            }
        }
        self.written.push(']');
        Some(())
    }

    fn in_class(&mut self, c: char) {
        if c.is_control() && c.is_ascii() || matches!(c, '^' | '-' | '[' | ']' | '\\' | '"') {
            write!(self.written, "\\x{:02X}", u32::from(c)).expect("a string takes everything");
        } else {
            self.written.push(c);
        }
    }
}

/// The bounds of a repetition behind their brace: how long they are with the brace at their end, and how often the part
/// is there.
fn bounds(text: &str) -> Option<(usize, u64, Option<u64>)> {
    let (inside, _) = text.split_once('}')?;
    let number = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse().unwrap_or(u64::MAX))
    };
    let (least, most) = match inside.split_once(',') {
        None => (number(inside)?, Some(number(inside)?)),
        Some((least, "")) => (number(least)?, None),
        Some((least, most)) => (number(least)?, Some(number(most)?)),
    };
    Some((inside.len() + 1, least, most))
}

#[cfg(test)]
mod tests {
    use super::sent;
    use crate::profile::PatternSupport;

    fn written(pattern: &str) -> Option<String> {
        sent(PatternSupport::Grammar, pattern, Some(1_000)).map(Into::into)
    }

    #[test]
    fn a_pattern_is_written_in_what_llama_cpp_converts() {
        for (pattern, expected) in [
            ("^abc$", "^abc$"),
            (r"^\d{4}-\d\d?$", "^[0-9]{4}-[0-9][0-9]?$"),
            (r"^\w+@[\w.-]+$", r"^[0-9A-Z_a-z]+@[0-9A-Z_a-z.\x2D]+$"),
            // The server refuses a request with `é+`.
            ("^é+$", "^[é]+$"),
            (r"^a\.+$", "^a[.]+$"),
            (r"^[^\]\\\x00-\x1f\x22]*$", r"^[^\x5D\x5C\x00-\x1F\x22]*$"),
            (r"^\/v\u0031$", "^/v1$"),
            ("^(?:a|b(c|d)*)+?$", "^(a|b(c|d)*)+$"),
            ("^a{,3}$", "^a[{],3[}]$"),
            ("^a{2,}b{2,3}$", "^a{2,}b{2,3}$"),
            ("^[$|]$", "^[$|]$"),
            ("^(a{10}){100}$", "^(a{10}){100}$"),
        ] {
            assert_eq!(written(pattern).as_deref(), Some(expected), "{pattern}");
            assert_eq!(written(expected).as_deref(), Some(expected), "{pattern}");
        }
    }

    #[test]
    fn a_pattern_without_such_a_form_is_not_sent() {
        let deep = format!("^{}a{}$", "(".repeat(100), ")".repeat(100));
        for pattern in [
            // JSON escapes what these match.
            r#"^"a"$"#,
            r"^\t$",
            "^\t$",
            r"^\\$",
            "^.$",
            "^[^a]$",
            r"^\s$",
            r"^[\s\d]$",
            r"^[!-~]$",
            r"^\x22$",
            // Their ends do not hold for all of them.
            "a",
            "a$",
            "^a",
            "^a|b$",
            "^a$|^b$",
            r"^cost\$",
            "^a$b$",
            "^(^a)$",
            "^(a$)$",
            "^",
            // They need more than a grammar says, or are broken.
            "^(?=a)b$",
            r"^\bb$",
            r"^(a)\1$",
            "^(?<n>a)$",
            "^(?i:a)$",
            "^[a$",
            "^(a$",
            "^a)$",
            "^[]$",
            "^[^]$",
            "^a**$",
            "^*a$",
            "^a{2}{3}$",
            "^[z-a]$",
            r"^[\w-z]$",
            r"^\p{L}$",
            r"^\D$",
            r"^\z$",
            r"^\u12$",
            r"^\u00éé$",
            r"^\ud800$",
            // Their form is not sure, or too large.
            "^$",
            "^(a|)$",
            "^()$",
            "^a{0}$",
            "^a{3,2}$",
            "^a{1001}$",
            "^(a{100}){100}$",
            "^a{99999999999999999999}$",
            &deep,
        ] {
            assert_eq!(written(pattern), None, "{pattern}");
        }
    }
}
