//! Literals of Python, and of the formats that look like them, as JSON.

use toolwright_json::string::push_quoted;

/// The maximum number of lists and objects inside each other.
const DEPTH: usize = 127;

/// The reason why a literal is not read, in words for a model.
pub(crate) type Fault = &'static str;

/// A reader of literals.
#[derive(Debug)]
pub(crate) struct Literals<'t> {
    rest: &'t str,
    /// Tokens between which text stands as it is.
    quotes: &'static [&'static str],
}

impl<'t> Literals<'t> {
    /// Reads Python; with tokens, JSON with bare keys and such quotes.
    pub(crate) fn new(text: &'t str, quotes: &'static [&'static str]) -> Self {
        Self { rest: text, quotes }
    }

    /// Goes past space, and past this character if it comes next.
    pub(crate) fn take(&mut self, char: char) -> bool {
        self.rest = self.rest.trim_start();
        let rest = self.rest.strip_prefix(char);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Returns true if only space is left.
    pub(crate) fn is_end(&self) -> bool {
        self.rest.trim_start().is_empty()
    }

    /// A name, with dots in it; empty if none comes next.
    pub(crate) fn name(&mut self) -> &'t str {
        self.rest = self.rest.trim_start();
        let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '.' | '-');
        let end = self
            .rest
            .find(|char| !is_name(char))
            .unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        name
    }

    /// The members of an object or the arguments of a call up to a bracket, with this character after each name.
    ///
    /// # Errors
    ///
    /// Where they are no literals, or a name comes twice.
    pub(crate) fn members(
        &mut self,
        after_name: char,
        end: char,
        json: &mut String,
    ) -> Result<(), Fault> {
        self.members_within(after_name, end, json, 0)
    }

    fn members_within(
        &mut self,
        after_name: char,
        end: char,
        json: &mut String,
        depth: usize,
    ) -> Result<(), Fault> {
        let mut names = std::collections::HashSet::new();
        json.push('{');
        while !self.take(end) {
            if !names.is_empty() {
                json.push(',');
            }
            let name = self.key()?;
            push_quoted(json, &name);
            if !names.insert(name) {
                return Err("an argument is given twice");
            }
            if !self.take(after_name) {
                return Err("an argument has no name, or no value");
            }
            json.push(':');
            self.value(json, depth)?;
            if !self.take(',') && !self.rest.trim_start().starts_with(end) {
                return Err("a comma or a closing bracket is missing after a value");
            }
        }
        json.push('}');
        Ok(())
    }

    fn key(&mut self) -> Result<String, Fault> {
        let mut text = String::new();
        if self.string(&mut text)? {
            return Ok(text);
        }
        match self.name() {
            "" => Err("the name of an argument is missing"),
            name => Ok(name.to_owned()),
        }
    }

    fn value(&mut self, json: &mut String, depth: usize) -> Result<(), Fault> {
        if depth > DEPTH {
            return Err("values are nested too deeply");
        }
        if self.take('{') {
            return self.members_within(':', '}', json, depth + 1);
        }
        for (open, close) in [('[', ']'), ('(', ')')] {
            if self.take(open) {
                return self.items(close, json, depth + 1);
            }
        }
        let mut text = String::new();
        if self.string(&mut text)? {
            // Strings side by side are one string, in Python.
            while self.quotes.is_empty() && self.string(&mut text)? {}
            push_quoted(json, &text);
            return Ok(());
        }
        let is_end =
            |char: char| char.is_whitespace() || matches!(char, ',' | ']' | '}' | ')' | '(');
        let end = self.rest.find(is_end).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match word {
            "True" | "true" | "TRUE" => json.push_str("true"),
            "False" | "false" | "FALSE" => json.push_str("false"),
            "None" | "null" | "NULL" => json.push_str("null"),
            word => json.push_str(number(word).ok_or("a value is not a literal")?.as_str()),
        }
        Ok(())
    }

    fn items(&mut self, end: char, json: &mut String, depth: usize) -> Result<(), Fault> {
        json.push('[');
        let mut is_first = true;
        while !self.take(end) {
            if !is_first {
                json.push(',');
            }
            is_first = false;
            self.value(json, depth)?;
            if !self.take(',') && !self.rest.trim_start().starts_with(end) {
                return Err("a comma or a closing bracket is missing after a value");
            }
        }
        json.push(']');
        Ok(())
    }

    /// Adds a string, if one comes next.
    fn string(&mut self, text: &mut String) -> Result<bool, Fault> {
        const UNCLOSED: Fault = "a string is not closed";
        self.rest = self.rest.trim_start();
        for token in self.quotes {
            if let Some(rest) = self.rest.strip_prefix(token) {
                let (inner, rest) = rest.split_once(token).ok_or(UNCLOSED)?;
                text.push_str(inner);
                self.rest = rest;
                return Ok(true);
            }
        }
        let is_raw = self.quotes.is_empty()
            && self.rest.starts_with(['r', 'R'])
            && self.rest[1..].starts_with(['"', '\'']);
        let rest = if is_raw { &self.rest[1..] } else { self.rest };
        let Some(quote) = ["\"\"\"", "'''", "\"", "'"]
            .into_iter()
            .find(|quote| rest.starts_with(quote))
        else {
            return Ok(false);
        };
        let mut rest = &rest[quote.len()..];
        loop {
            let next = rest
                .find(['\\', quote.as_bytes()[0] as char])
                .ok_or(UNCLOSED)?;
            text.push_str(&rest[..next]);
            rest = &rest[next..];
            if let Some(after) = rest.strip_prefix(quote) {
                self.rest = after;
                return Ok(true);
            }
            let mut chars = rest.chars();
            match chars.next() {
                Some('\\') if is_raw => text.push('\\'),
                Some('\\') => escape(&mut chars, text)?,
                Some(char) => text.push(char),
                None => return Err(UNCLOSED),
            }
            rest = chars.as_str();
        }
    }
}

/// The character that an escape stands for. One that means nothing is kept with its backslash, as Python does.
fn escape(chars: &mut std::str::Chars<'_>, text: &mut String) -> Result<(), Fault> {
    const BAD: Fault = "an escape in a string is not a character";
    let escaped = chars.next().ok_or("a string is not closed")?;
    let char = match escaped {
        '\n' => return Ok(()),
        '\\' | '\'' | '"' | '/' => escaped,
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        '0' => '\0',
        'x' => char::from_u32(hex(chars, 2).ok_or(BAD)?).ok_or(BAD)?,
        'U' => char::from_u32(hex(chars, 8).ok_or(BAD)?).ok_or(BAD)?,
        'u' => {
            let first = hex(chars, 4).ok_or(BAD)?;
            let code = if (0xd800..0xdc00).contains(&first) {
                let second = chars.as_str().strip_prefix("\\u").ok_or(BAD)?;
                *chars = second.chars();
                let second = hex(chars, 4).ok_or(BAD)?;
                0x10000 + ((first - 0xd800) << 10) + second.checked_sub(0xdc00).ok_or(BAD)?
            } else {
                first
            };
            char::from_u32(code).ok_or(BAD)?
        }
        other => {
            text.push('\\');
            other
        }
    };
    text.push(char);
    Ok(())
}

fn hex(chars: &mut std::str::Chars<'_>, digits: usize) -> Option<u32> {
    let text = chars.as_str().get(..digits)?;
    let is_hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    *chars = chars.as_str()[digits..].chars();
    u32::from_str_radix(text, 16).ok().filter(|_| is_hex)
}

/// A number of Python as JSON.
fn number(word: &str) -> Option<String> {
    let word = word.strip_prefix('+').unwrap_or(word);
    let (sign, digits) = word
        .strip_prefix('-')
        .map_or(("", word), |rest| ("-", rest));
    if digits.starts_with('_') || digits.ends_with('_') || digits.contains("__") {
        return None;
    }
    let mut digits = digits.replace('_', "");
    if digits.starts_with('.') {
        digits.insert(0, '0');
    }
    if digits.ends_with('.') {
        digits.push('0');
    }
    let json = format!("{sign}{digits}");
    let value: serde_json::Value = serde_json::from_str(&json).ok()?;
    value.is_number().then_some(json)
}

#[cfg(test)]
mod tests {
    use super::Literals;

    #[track_caller]
    fn check(text: &str, quotes: &'static [&'static str], expected: Option<&str>) {
        let mut json = String::new();
        let mut literals = Literals::new(text, quotes);
        let read = literals.value(&mut json, 0).is_ok() && literals.is_end();
        assert_eq!(read.then_some(json.as_str()), expected, "{text}");
    }

    #[test]
    fn literals_of_python_become_json() {
        let python = |text, json| check(text, &[], Some(json));
        python(
            "{'a': 1, \"b\": [True, None,], }",
            r#"{"a":1,"b":[true,null]}"#,
        );
        python(r"'it\'s \x41 \u00e9 \d'", r#""it's A é \\d""#);
        python(r"'\ud83e\udd80'", "\"\u{1f980}\"");
        python("'a' 'b'", "\"ab\"");
        python("'''a'b\n'''", "\"a'b\\n\"");
        python(r"r'\d'", r#""\\d""#);
        python("(1, -2.5, .5, 1_000)", "[1,-2.5,0.5,1000]");
        for text in [
            "f(1)",
            "x",
            "'a",
            "[1",
            "1 2",
            "{'a'}",
            "1 + 2",
            "{'a': 1, 'a': 2}",
            r"'\x4'",
            "inf",
        ] {
            check(text, &[], None);
        }
        check(&"[".repeat(5_000), &[], None);
    }

    #[test]
    fn text_between_tokens_has_no_escapes() {
        let quotes = &["<|\"|>"];
        check(
            "{a:<|\"|>x\\\"y\"<|\"|>,b:\"\\\"\"}",
            quotes,
            Some(r#"{"a":"x\\\"y\"","b":"\""}"#),
        );
        check("[<|\"|>a]", quotes, None);
    }
}
