//! Where an attribute stands in its file. A macro is not told, and what it writes for a module is five errors
//! in an `impl`: so the file is asked, and believed only if all around the attribute is plain.

use proc_macro::Span;

/// Whether the attribute that is expanded stands in an `impl` or a `trait`. False if nobody knows.
pub(crate) fn is_in_impl() -> bool {
    if !proc_macro::is_available() {
        return false;
    }
    let span = Span::call_site();
    // Most tools stand at the start of a line, as nothing in an `impl` does: their files are not read.
    if span.column() == 1 {
        return false;
    }
    let text = span
        .local_file()
        .and_then(|file| std::fs::read_to_string(file).ok());
    text.is_some_and(|text| stands_in_impl(&text, span.line(), span.column()))
}

/// Whether the character of a line and a column, both counted from 1, stands directly in an `impl` or a
/// `trait`, and that in nothing but modules and bodies.
fn stands_in_impl(text: &str, line: usize, column: usize) -> bool {
    let Some(before) = before(text, line, column) else {
        return false;
    };
    let Some(open) = Reader::new(before).open() else {
        return false;
    };
    let is_plain = |head: &String| !head.contains('!');
    match open.last() {
        Some(head) => open.iter().all(is_plain) && begins_impl(head),
        None => false,
    }
}

/// The text before the place of an attribute.
fn before(text: &str, line: usize, column: usize) -> Option<&str> {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.checked_sub(1)?)
        .map(str::len)
        .sum();
    let line = text.get(start..)?;
    let (offset, _) = line.char_indices().nth(column.checked_sub(1)?)?;
    line[offset..]
        .starts_with("#[")
        .then(|| &text[..start + offset])
}

fn begins_impl(head: &str) -> bool {
    let words = head
        .split_whitespace()
        .map(|word| word.split('<').next().unwrap_or(word));
    let mut words = words.skip_while(|word| matches!(*word, "pub" | "unsafe" | "default"));
    matches!(words.next(), Some("impl" | "trait"))
}

/// Reads text as far as its braces go.
struct Reader<'t> {
    rest: &'t str,
    /// What stands before each brace that is open.
    open: Vec<String>,
    /// What was read since the last item or statement ended.
    head: String,
}

impl<'t> Reader<'t> {
    fn new(rest: &'t str) -> Self {
        Self {
            rest,
            open: Vec::new(),
            head: String::new(),
        }
    }

    /// What stands before the braces that are open at the end. `None` if the text is not what it seems.
    fn open(mut self) -> Option<Vec<String>> {
        // Parentheses and brackets, and what was read before each.
        let mut groups: Vec<(char, String)> = Vec::new();
        while let Some(next) = self.rest.chars().next() {
            if self.skip_comment()? || self.skip_literal()? {
                self.head.push(' ');
                continue;
            }
            self.rest = &self.rest[next.len_utf8()..];
            match next {
                '(' | '[' => groups.push((next, std::mem::take(&mut self.head))),
                ')' | ']' => {
                    let (open, head) = groups.pop()?;
                    if (open == '(') != (next == ')') {
                        return None;
                    }
                    // An attribute is none of the words of its item.
                    head.strip_suffix('#')
                        .unwrap_or(&head)
                        .clone_into(&mut self.head);
                }
                // A brace inside a call or a list is an expression, of which no item is asked.
                '{' if groups.is_empty() => self.open.push(std::mem::take(&mut self.head)),
                '}' if groups.is_empty() => {
                    self.open.pop()?;
                    self.head.clear();
                }
                '{' => groups.push((next, String::new())),
                '}' => {
                    groups.pop().filter(|(open, _)| *open == '{')?;
                }
                ';' => self.head.clear(),
                other => self.head.push(other),
            }
        }
        groups.is_empty().then_some(self.open)
    }

    /// Skips a comment, if one begins here.
    fn skip_comment(&mut self) -> Option<bool> {
        if self.rest.starts_with("//") {
            self.rest = self.rest.find('\n').map_or("", |end| &self.rest[end..]);
            return Some(true);
        }
        if !self.rest.starts_with("/*") {
            return Some(false);
        }
        let mut depth = 0_usize;
        loop {
            if let Some(rest) = self.rest.strip_prefix("/*") {
                (self.rest, depth) = (rest, depth + 1);
            } else if let Some(rest) = self.rest.strip_prefix("*/") {
                (self.rest, depth) = (rest, depth - 1);
                if depth == 0 {
                    return Some(true);
                }
            } else {
                self.rest = &self.rest[self.rest.chars().next()?.len_utf8()..];
            }
        }
    }

    /// Skips a literal with quotes, if one begins here.
    fn skip_literal(&mut self) -> Option<bool> {
        let goes_on = |char: char| char.is_alphanumeric() || char == '_';
        let in_word = self.head.ends_with(goes_on);
        let prefix: &str = if in_word {
            ""
        } else {
            let end = self
                .rest
                .find(|char: char| !char.is_ascii_lowercase())
                .unwrap_or(0);
            match &self.rest[..end] {
                prefix @ ("r" | "b" | "br" | "c" | "cr") => prefix,
                _ => "",
            }
        };
        let behind = &self.rest[prefix.len()..];
        if prefix.ends_with('r') {
            let hashes = behind.len() - behind.trim_start_matches('#').len();
            if let Some(content) = behind[hashes..].strip_prefix('"') {
                let end = format!("\"{}", "#".repeat(hashes));
                self.rest = &content[content.find(&end)? + end.len()..];
                return Some(true);
            }
            return Some(false);
        }
        if let Some(content) = behind.strip_prefix('"') {
            return self.skip_to(content, '"');
        }
        if let Some(content) = behind.strip_prefix('\'') {
            // A lifetime has no second mark.
            let mut chars = content.chars();
            let is_char = match (chars.next()?, chars.next()) {
                ('\\', _) => true,
                (_, second) => second == Some('\''),
            };
            if is_char {
                return self.skip_to(content, '\'');
            }
        }
        Some(false)
    }

    fn skip_to(&mut self, content: &'t str, end: char) -> Option<bool> {
        let mut chars = content.char_indices();
        while let Some((place, char)) = chars.next() {
            if char == '\\' {
                chars.next()?;
            } else if char == end {
                self.rest = &content[place + end.len_utf8()..];
                return Some(true);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::stands_in_impl;

    fn check(text: &str, expected: bool) {
        let place = text.find("#[tool]").expect("it is there");
        let line = text[..place].matches('\n').count() + 1;
        let column = text[..place]
            .chars()
            .rev()
            .take_while(|char| *char != '\n')
            .count()
            + 1;
        assert_eq!(stands_in_impl(text, line, column), expected, "{text}");
    }

    #[test]
    fn a_method_stands_in_an_impl() {
        for text in [
            "impl Desk {\n    #[tool]\n    fn f() {}\n}",
            "struct S { a: [u8; 3] }\nmod m { pub unsafe impl<T: Fn(u8) -> u8> Desk<T> where T: Copy { fn g() { if a { b } } #[tool] fn f() {}",
            "#[cfg(x)]\n#[doc = \"}\"]\npub(crate) trait Desk: Send { const C: char = '{'; const S: &'static str = r#\"{\"{\"#; // }\n /* { /* } */ */ #[tool] fn f();",
            "fn main() { impl Desk { #[tool] fn f() {} } }",
        ] {
            check(text, true);
        }
    }

    #[test]
    fn a_function_does_not() {
        for text in [
            "#[tool]\nfn f() {}",
            "impl Desk { fn g() {} }\n#[tool]\nfn f() {}",
            "mod tests { #[tool] fn f() {} }",
            "impl Desk { fn g() { #[tool] fn f() {} } }",
            "fn g() -> impl Fn() { #[tool] fn f() {} }",
            "hoist! { impl Desk { #[tool] fn f() {} } }",
            "hoist!(impl Desk { #[tool] fn f() {} })",
            "macro_rules! m { () => { impl Desk { #[tool] fn f() {} } } }",
            "trait_of!(); mod implements { #[tool] fn f() {} }",
            "impl Desk { const S: &str = \"\\\"}\"; } #[tool] fn f() {}",
        ] {
            check(text, false);
        }
    }
}
