//! Addresses of schemas, put together as RFC 3986 has it.

/// The longest address that a schema may be found by, in bytes. A longer one names nothing.
const MAX_BYTES: usize = 1000;

/// The address that a reference without a fragment stands for, where the base is another address.
/// `None` if it is too long.
pub fn resolve(base: &str, reference: &str) -> Option<String> {
    if base.len() + reference.len() > MAX_BYTES {
        return None;
    }
    let (base, reference) = (Parts::of(base), Parts::of(reference));
    let mut whole = Parts {
        path: "",
        ..reference
    };
    let path = if reference.scheme.is_some() || reference.authority.is_some() {
        whole.scheme = reference.scheme.or(base.scheme);
        without_dots(reference.path)
    } else {
        whole.scheme = base.scheme;
        whole.authority = base.authority;
        match reference.path {
            "" => {
                whole.query = reference.query.or(base.query);
                base.path.to_owned()
            }
            path if path.starts_with('/') => without_dots(path),
            path => {
                let directory = match base.path.rsplit_once('/') {
                    Some((directory, _)) => &base.path[..=directory.len()],
                    None if base.authority.is_some() => "/",
                    None => "",
                };
                without_dots(&[directory, path].concat())
            }
        }
    };
    Some(whole.with_path(&path))
}

/// Returns true if a string can be an address, and is not a note.
pub fn is_address(text: &str) -> bool {
    let is_stray =
        |char: char| char.is_whitespace() || char.is_control() || r#"<>"{}|\^`"#.contains(char);
    !text.contains(is_stray)
}

/// The parts of an address without a fragment.
#[derive(Clone, Copy)]
struct Parts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(address: &'a str) -> Self {
        let query = address.split_once('?');
        let (rest, query) = query.map_or((address, None), |(rest, query)| (rest, Some(query)));
        let scheme = rest.split_once(':').filter(|(scheme, _)| {
            scheme.starts_with(|first: char| first.is_ascii_alphabetic())
                && scheme
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
        });
        let (scheme, rest) = scheme.map_or((None, rest), |(scheme, rest)| (Some(scheme), rest));
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => {
                let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                (Some(authority), path)
            }
            None => (None, rest),
        };
        Self {
            scheme,
            authority,
            path,
            query,
        }
    }

    fn with_path(&self, path: &str) -> String {
        let mut text = String::new();
        if let Some(scheme) = self.scheme {
            text.extend([scheme, ":"]);
        }
        if let Some(authority) = self.authority {
            text.extend(["//", authority]);
        }
        text.push_str(path);
        if let Some(query) = self.query {
            text.extend(["?", query]);
        }
        text
    }
}

/// A path whose `.` and `..` are gone.
fn without_dots(path: &str) -> String {
    let (start, rest) = match path.strip_prefix('/') {
        Some(rest) => ("/", rest),
        None => ("", path),
    };
    let mut kept = Vec::new();
    for segment in rest.split('/') {
        match segment {
            "." => {}
            ".." => {
                kept.pop();
            }
            segment => kept.push(segment),
        }
    }
    // What ends in `.` or `..` is a directory.
    if matches!(rest.rsplit('/').next(), Some("." | "..")) {
        kept.push("");
    }
    [start, &kept.join("/")].concat()
}

#[cfg(test)]
mod tests {
    use super::{is_address, resolve};

    #[test]
    fn references_stand_for_what_the_standard_says() {
        // RFC 3986, 5.4, but for fragments.
        for (reference, expected) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            (";x", "http://a/b/c/;x"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../..", "http://a/"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."),
            ("..g", "http://a/b/c/..g"),
            ("./../g", "http://a/b/g"),
            ("./g/.", "http://a/b/c/g/"),
            ("g/../h", "http://a/b/c/h"),
            ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/../x", "http://a/b/c/g?y/../x"),
        ] {
            let address = resolve("http://a/b/c/d;p?q", reference);
            assert_eq!(address.as_deref(), Some(expected), "{reference}");
        }
        for (base, reference, expected) in [
            ("", "a.json", "a.json"),
            ("dir/l", "a", "dir/a"),
            ("http://a", "b", "http://a/b"),
            ("urn:x:root", "urn:x:other", "urn:x:other"),
        ] {
            assert_eq!(resolve(base, reference).as_deref(), Some(expected));
        }
        assert_eq!(resolve("http://a/", &"b".repeat(2000)), None);
    }

    #[test]
    fn a_note_is_no_address() {
        assert!(is_address("https://example.com/größe?a=b:c#d"));
        assert!(!is_address("my tool") && !is_address("{id}"));
    }
}
