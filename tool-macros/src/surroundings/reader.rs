//! Source text, as far as it can be read without knowing what it means.

/// Reads text as far as its braces go.
pub(super) struct Reader<'t> {
    text: &'t str,
    pub(super) rest: &'t str,
    open: Vec<Open>,
    /// The source text since the last item or statement ended.
    pub(super) head: String,
}

/// The delimiters that are open inside an expression or a list, each with the text that was read before it.
type Groups = Vec<(char, String)>;

/// A brace that is open.
pub(super) struct Open {
    /// The source text before the brace.
    pub(super) head: String,
    /// The offset at which the text in the brace starts.
    pub(super) start: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, start: usize) -> Self {
        Self {
            text,
            rest: text.get(start..).unwrap_or_default(),
            open: Vec::new(),
            head: String::new(),
        }
    }

    /// The braces that are open at the end, which may be inside of an attribute. `None` if the text is not what it
    /// seems.
    pub(super) fn around(mut self) -> Option<Vec<Open>> {
        let groups = self.read(|_, _| ())?;
        let is_plain = groups.iter().all(|(open, _)| *open != '{');
        is_plain.then_some(self.open)
    }

    /// Gives the place of every attribute that stands in braces alone, and these.
    pub(super) fn read_attributes(mut self, give: impl FnMut(usize, &[Open])) {
        self.read(give);
    }

    fn read(&mut self, mut give: impl FnMut(usize, &[Open])) -> Option<Groups> {
        // Parentheses and brackets, and what was read before each.
        let mut groups = Groups::new();
        while let Some(next) = self.rest.chars().next() {
            if self.skip_comment()? || self.skip_literal()? {
                self.head.push(' ');
                continue;
            }
            if next == '#' && groups.is_empty() && self.rest.starts_with("#[") {
                give(self.place(), &self.open);
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
                    let inner = head.strip_suffix("#!");
                    inner
                        .or_else(|| head.strip_suffix('#'))
                        .unwrap_or(&head)
                        .clone_into(&mut self.head);
                }
                // A brace inside a call or a list is an expression, of which no item is asked.
                '{' if groups.is_empty() => self.open.push(Open {
                    start: self.place(),
                    head: std::mem::take(&mut self.head),
                }),
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
        Some(groups)
    }

    /// Returns the offset of the text that is read next.
    pub(super) fn place(&self) -> usize {
        self.text.len() - self.rest.len()
    }

    /// Skips what is between delimiters, of which the first begins here. `None` if they do not match.
    pub(super) fn skip_group(&mut self) -> Option<&'t str> {
        let start = self.place();
        let mut open = Vec::new();
        let head = std::mem::take(&mut self.head);
        loop {
            let next = self.rest.chars().next()?;
            if self.skip_comment()? || self.skip_literal()? {
                self.head.clear();
                continue;
            }
            self.rest = &self.rest[next.len_utf8()..];
            self.head.push(next);
            match next {
                '(' => open.push(')'),
                '[' => open.push(']'),
                '{' => open.push('}'),
                ')' | ']' | '}' => {
                    open.pop().filter(|close| *close == next)?;
                    if open.is_empty() {
                        self.head = head;
                        return self.text.get(start..self.place());
                    }
                }
                _ => {}
            }
        }
    }

    /// Skips a comment, if one begins here.
    pub(super) fn skip_comment(&mut self) -> Option<bool> {
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
    pub(super) fn skip_literal(&mut self) -> Option<bool> {
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
