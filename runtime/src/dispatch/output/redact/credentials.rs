//! Strings that look like credentials.

use std::{borrow::Cow, ops::Range};

use super::{MARK, Redact, secrets::without};

/// Takes out what looks like a credential, for an application that does not know them all.
///
/// It is a second net, not the first: [`Secrets`](super::Secrets) knows the keys that an application holds. It finds
///
/// - the values of members and details whose name says what they are: `password`, `api_key`, `access_token`,
///   `client_secret`, `authorization`, `cookie` and the like, however they are spelled (`apiKey`, `X-Api-Key`);
/// - what follows `Bearer`, and `Basic` or `Token` after `Authorization:`;
/// - keys with a known beginning, such as `sk-`, `ghp_`, `xoxb-`, `AKIA` or `AIza`, JSON Web Tokens, and private keys in
///   PEM;
/// - the password in an address such as `https://ada:password@example.com`.
///
/// Time grows with the length of the text.
///
/// ```
/// use toolwright::redact::{Credentials, Redact};
///
/// let credentials = Credentials::new();
/// let header = "Authorization: Bearer abcdef0123456789";
/// assert_eq!(credentials.redact(header), "Authorization: Bearer [redacted]");
/// assert!(credentials.is_sensitive("apiKey", "12345"));
/// assert!(!credentials.is_sensitive("max_tokens", "12345"));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Credentials(());

impl Credentials {
    /// What looks like a credential.
    pub const fn new() -> Self {
        Self(())
    }
}

/// Names of members whose values are hidden, without `_`, `-` and capitals.
const NAMES: [&str; 24] = [
    "accesskey",
    "accesstoken",
    "apikey",
    "apisecret",
    "apitoken",
    "authorization",
    "authtoken",
    "bearertoken",
    "clientsecret",
    "cookie",
    "credential",
    "credentials",
    "passphrase",
    "passwd",
    "password",
    "privatekey",
    "proxyauthorization",
    "refreshtoken",
    "secret",
    "secretaccesskey",
    "secretkey",
    "sessiontoken",
    "setcookie",
    "xapikey",
];

/// Beginnings of keys, and the least number of characters that follow.
const BEGINNINGS: [(&str, usize); 21] = [
    ("AIza", 30),
    ("AKIA", 16),
    ("ASIA", 16),
    ("ghp_", 20),
    ("gho_", 20),
    ("ghr_", 20),
    ("ghs_", 20),
    ("ghu_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("gsk_", 20),
    ("hf_", 20),
    ("npm_", 30),
    ("rk_live_", 16),
    ("sk-", 16),
    ("sk_live_", 16),
    ("xai-", 20),
    ("xoxa-", 10),
    ("xoxb-", 10),
    ("xoxp-", 10),
    ("xoxs-", 10),
];

impl Redact for Credentials {
    fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut found = Vec::new();
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let is_start = at == 0 || !is_word(bytes[at - 1]);
            let place = match bytes[at] {
                b'-' => private_key(text, at),
                b':' => address_password(bytes, at),
                b'B' | b'b' if is_start => after_scheme(bytes, at),
                b'A' | b'a' if is_start => after_header(bytes, at).or_else(|| key(bytes, at)),
                b'e' if is_start => web_token(bytes, at),
                byte if is_start && byte.is_ascii_alphabetic() => key(bytes, at),
                _ => None,
            };
            match place {
                Some(place) => {
                    at = place.end;
                    found.push(place);
                }
                None => at += 1,
            }
        }
        without(text, found)
    }

    fn is_sensitive(&self, name: &str, value: &str) -> bool {
        if matches!(value, "" | "null" | "true" | "false" | MARK) || name.len() > 40 {
            return false;
        }
        let letters = name.chars().filter(char::is_ascii_alphanumeric);
        let plain: String = letters.map(|char| char.to_ascii_lowercase()).collect();
        NAMES.contains(&plain.as_str())
    }
}

/// A byte that a word or a key goes on with.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// A byte of a credential in a header.
fn is_token(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'.' | b'~' | b'+' | b'/' | b'=')
}

/// Returns where the bytes that pass a test end.
fn run(bytes: &[u8], from: usize, is_part: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|byte| is_part(**byte)).count()
}

fn has_digit(bytes: &[u8]) -> bool {
    bytes.iter().any(u8::is_ascii_digit)
}

fn starts_with(bytes: &[u8], at: usize, word: &str) -> bool {
    bytes
        .get(at..at + word.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}

/// A key with a known beginning.
fn key(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let known = |(start, least): &(&str, usize)| {
        if !bytes[at..].starts_with(start.as_bytes()) {
            return None;
        }
        let from = at + start.len();
        let end = run(bytes, from, is_word);
        // A hyphenated word has no digit.
        (end - from >= *least && has_digit(&bytes[from..end])).then_some(at..end)
    };
    BEGINNINGS.iter().find_map(known)
}

/// What follows `Bearer`. In prose it is a word, which has no digit.
fn after_scheme(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    if !starts_with(bytes, at, "bearer ") {
        return None;
    }
    let from = run(bytes, at + "bearer".len(), |byte| byte == b' ');
    let end = run(bytes, from, is_token);
    (end - from >= 8 && has_digit(&bytes[from..end])).then_some(from..end)
}

/// The credential of a header `Authorization`, be it a line or a member.
fn after_header(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    if !starts_with(bytes, at, "authorization") {
        return None;
    }
    let is_between = |byte| matches!(byte, b' ' | b'"' | b'\'' | b'\\');
    let colon = run(bytes, at + "authorization".len(), is_between);
    if !matches!(bytes.get(colon), Some(b':' | b'=')) {
        return None;
    }
    let mut from = run(bytes, colon + 1, is_between);
    let schemes = ["bearer ", "basic ", "token ", "digest ", "negotiate "];
    let scheme = schemes.iter().find(|word| starts_with(bytes, from, word));
    if let Some(scheme) = scheme {
        from = run(bytes, from + scheme.len(), |byte| byte == b' ');
    }
    let end = run(bytes, from, is_token);
    let is_one = end - from >= 8 && (scheme.is_some() || has_digit(&bytes[from..end]));
    is_one.then_some(from..end)
}

/// A JSON Web Token: three parts, of which the first begins like JSON.
fn web_token(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    if !bytes[at..].starts_with(b"eyJ") {
        return None;
    }
    let mut end = at;
    for part in 0..3 {
        let from = end;
        end = run(bytes, from, is_word);
        if end - from < 4 {
            return None;
        }
        if part < 2 {
            if bytes.get(end) != Some(&b'.') {
                return None;
            }
            end += 1;
        }
    }
    Some(at..end)
}

/// A private key in PEM, to its last line or to the end of the text.
fn private_key(text: &str, at: usize) -> Option<Range<usize>> {
    const LABEL_BYTES: usize = 40;
    let rest = text[at..].strip_prefix("-----BEGIN ")?;
    let (label, _) = rest.split_once("-----")?;
    if label.len() > LABEL_BYTES || !label.ends_with("PRIVATE KEY") {
        return None;
    }
    let last = format!("-----END {label}-----");
    let end = rest.find(&last).map(|found| found + last.len());
    let start = text.len() - rest.len();
    Some(at..start + end.unwrap_or(rest.len()))
}

/// The password in `://user:password@host`, from its first colon.
fn address_password(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    if !bytes[at..].starts_with(b"://") {
        return None;
    }
    let is_part = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'/' | b'@' | b'"' | b'\'');
    let colon = run(bytes, at + 3, |byte| is_part(byte) && byte != b':');
    if bytes.get(colon) != Some(&b':') {
        return None;
    }
    let end = run(bytes, colon + 1, is_part);
    (end > colon + 1 && bytes.get(end) == Some(&b'@')).then_some(colon + 1..end)
}

#[cfg(test)]
mod tests {
    use super::{Credentials, Redact};

    #[test]
    fn what_looks_like_a_credential_is_taken_out() {
        let web_token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
        let pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----";
        for (text, redacted) in [
            ("key sk-proj-abcdefghij0123456789.", "key [redacted]."),
            ("(ghp_abcdefghij0123456789)", "([redacted])"),
            ("AKIAIOSFODNN7EXAMPLE", "[redacted]"),
            ("a bearer abcdefg0123", "a bearer [redacted]"),
            (
                "authorization: Basic dXNlcjpwYXNz\nx",
                "authorization: Basic [redacted]\nx",
            ),
            (
                "{\"Authorization\": \"Token abcdefgh\"}",
                "{\"Authorization\": \"Token [redacted]\"}",
            ),
            (
                "https://ada:pa55@example.com/",
                "https://ada:[redacted]@example.com/",
            ),
            (web_token, "[redacted]"),
            (&format!("<{pem}>"), "<[redacted]>"),
            (&pem[..40], "[redacted]"),
        ] {
            let once = Credentials::new().redact(text).into_owned();
            assert_eq!(once, redacted);
            let twice = Credentials::new().redact(&once).into_owned();
            assert_eq!(twice, redacted, "twice is as once");
        }
    }

    #[test]
    fn what_is_none_stays() {
        for text in [
            "",
            "a task-force of risk-averse people",
            "sk-learn-like-a-model-does",
            "the bearer authentication of this API",
            "Authorization: required",
            "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
            "https://example.com:8080/a@b",
            "eyJ is how it begins",
            "Bearer é0123456789",
            "sk-",
            "authorization",
            "authorization:",
            "-----BEGIN ",
            "://:@",
        ] {
            assert_eq!(Credentials::new().redact(text), text);
        }
    }

    #[test]
    fn names_say_what_values_are() {
        let hides = |name: &str, value: &str| Credentials::new().is_sensitive(name, value);
        for name in [
            "password",
            "API_KEY",
            "x-api-key",
            "clientSecret",
            "Set-Cookie",
        ] {
            assert!(hides(name, "12"), "{name}");
        }
        for name in ["token", "max_tokens", "next_page_token", "passwords", "key"] {
            assert!(!hides(name, "12"), "{name}");
        }
        assert!(!hides("password", "null") && !hides("password", "[redacted]"));
    }
}
