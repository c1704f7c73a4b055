//! Templates of addresses (RFC 6570, level 1): `docs://{page}`.

/// A template, or an address without variables.
#[derive(Debug, Clone)]
pub(crate) struct Template {
    /// The text before the first variable.
    start: String,
    /// The variables, each with the text behind it.
    variables: Vec<(String, String)>,
}

impl Template {
    /// # Errors
    ///
    /// What is wrong with the template.
    pub(crate) fn new(text: &str) -> Result<Self, &'static str> {
        let mut pieces = text.split('{');
        let start = pieces.next().unwrap_or_default().to_owned();
        let mut variables: Vec<(String, String)> = Vec::new();
        for piece in pieces {
            let (name, behind) = piece
                .split_once('}')
                .ok_or("a `{` of its template has no `}`")?;
            let is_name = |char: char| char.is_ascii_alphanumeric() || char == '_' || char == '.';
            if name.is_empty() || !name.chars().all(is_name) {
                return Err("its template has another expression than `{name}`");
            }
            if variables.iter().any(|(other, _)| other == name) {
                return Err("its template has a variable twice");
            }
            if let Some((_, between)) = variables.last()
                && between.is_empty()
            {
                return Err("its template has two variables with nothing between them");
            }
            variables.push((name.to_owned(), behind.to_owned()));
        }
        let texts = variables.iter().map(|(_, text)| text);
        if texts.chain([&start]).any(|text| text.contains('}')) {
            return Err("a `}` of its template has no `{`");
        }
        Ok(Self { start, variables })
    }

    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|(name, _)| &**name)
    }

    /// The values of the variables in an address, decoded; `None` for an address of another form. A value ends where the
    /// text behind its variable first comes, and has at least one character, but none of `/`, `?` and `#`.
    pub(crate) fn read(&self, address: &str) -> Option<Vec<(&str, String)>> {
        let mut rest = address.strip_prefix(&*self.start)?;
        let mut values = Vec::new();
        let last = self.variables.len().checked_sub(1);
        for (index, (name, behind)) in self.variables.iter().enumerate() {
            let end = if Some(index) == last {
                rest.strip_suffix(&**behind)?.len()
            } else {
                // A character of a value before the text behind it: the value is not empty.
                let first = rest.chars().next()?.len_utf8();
                rest.get(first..)?.find(&**behind)? + first
            };
            let value = &rest[..end];
            if value.is_empty() || value.contains(['/', '?', '#']) {
                return None;
            }
            values.push((&**name, decoded(value)?));
            rest = &rest[end + behind.len()..];
        }
        rest.is_empty().then_some(values)
    }
}

/// A value without its percent encoding.
fn decoded(value: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let [first, after @ ..] = rest {
        (bytes, rest) = match (first, after) {
            (b'%', [high, low, after @ ..]) => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                let byte = digit(*high)? * 16 + digit(*low)?;
                bytes.push(u8::try_from(byte).ok()?);
                (bytes, after)
            }
            (b'%', _) => return None,
            (byte, after) => {
                bytes.push(*byte);
                (bytes, after)
            }
        };
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::Template;

    fn check(template: &str, address: &str, expected: Option<&[(&str, &str)]>) {
        let template = Template::new(template).expect("it is a template");
        let read = template.read(address);
        let expected = expected.map(|values| {
            let values = values.iter();
            values
                .map(|(name, value)| (*name, (*value).to_owned()))
                .collect()
        });
        assert_eq!(read, expected, "{address}");
    }

    #[test]
    fn values_are_read_and_decoded() {
        check("docs://{page}", "docs://intro", Some(&[("page", "intro")]));
        check(
            "a://{x}/b/{y}.md",
            "a://1/b/2.md.md",
            Some(&[("x", "1"), ("y", "2.md")]),
        );
        check("a://{x}", "a://%C3%A4%2Fb", Some(&[("x", "ä/b")]));
        check(
            "a://{x}-{y}",
            "a://ä-2-3",
            Some(&[("x", "ä"), ("y", "2-3")]),
        );
        check("a://b", "a://b", Some(&[]));
    }

    #[test]
    fn other_addresses_are_not_read() {
        check("docs://{page}", "docs://", None);
        check("docs://{page}", "docs://a/b", None);
        check("docs://{page}", "file://a", None);
        check("a://{x}/b", "a://1/c", None);
        check("a://{x}", "a://%4", None);
        check("a://{x}", "a://%FF", None);
        check("a://{x}", "a://%+1", None);
        check("a://b", "a://b/c", None);
    }

    #[test]
    fn other_expressions_are_refused() {
        for template in [
            "a{", "a}", "{}", "{+x}", "{x*}", "{x}{y}", "{x}-{x}", "{a,b}", "{x}}",
        ] {
            assert!(Template::new(template).is_err(), "{template}");
        }
    }
}
