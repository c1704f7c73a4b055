//! Address of Ollama, as its environment variable gives it.

use reqwest::Url;
use toolwright_core::model::{ModelError, ModelErrorKind};

/// The port where no scheme is given, which is that of the server.
const PORT: u16 = 11_434;

/// The base URL of a host as `OLLAMA_HOST` has it, for the server and its clients alike: `host`,
/// `host:port`, `:port`, or a URL, whose port is that of its scheme. An address that only a server
/// can listen on, `0.0.0.0`, is this machine.
pub(super) fn base_url(text: &str) -> Result<String, ModelError> {
    let text = text.trim().trim_matches(['"', '\'']);
    let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
    let rest = if rest.is_empty() || rest.starts_with(':') {
        format!("127.0.0.1{rest}")
    } else {
        rest.to_owned()
    };
    parse(scheme, &rest).ok_or_else(|| {
        let message = format!(
            "the environment variable OLLAMA_HOST is not an address, such as 127.0.0.1:{PORT}"
        );
        ModelError::new(ModelErrorKind::InvalidRequest, message)
    })
}

fn parse(scheme: &str, rest: &str) -> Option<String> {
    let mut url = if scheme.is_empty() {
        let mut url = Url::parse(&format!("http://{rest}")).ok()?;
        // For a scheme without a default port, the given port is kept.
        let other = Url::parse(&format!("ollama://{rest}")).ok()?;
        url.set_port(Some(other.port().unwrap_or(PORT))).ok()?;
        url
    } else {
        Url::parse(&format!("{scheme}://{rest}")).ok()?
    };
    if matches!(url.host_str(), Some("0.0.0.0" | "[::]")) {
        url.set_host(Some("127.0.0.1")).ok()?;
    }
    Some(url.into())
}

#[cfg(test)]
mod tests {
    use super::base_url;

    #[test]
    fn a_host_is_what_the_server_takes_it_for() {
        let check = |text: &str, expected: &str| {
            assert_eq!(base_url(text).as_deref(), Ok(expected), "{text}");
        };
        check("127.0.0.1:11434", "http://127.0.0.1:11434/");
        check("example.com", "http://example.com:11434/");
        check("example.com:80", "http://example.com/");
        check(":9000", "http://127.0.0.1:9000/");
        check(" '0.0.0.0' ", "http://127.0.0.1:11434/");
        check("[::]:1", "http://127.0.0.1:1/");
        check("[::1]", "http://[::1]:11434/");
        check("http://example.com", "http://example.com/");
        check("https://ollama.com", "https://ollama.com/");
        check("https://h:1/x", "https://h:1/x");
        check("h/path", "http://h:11434/path");
    }

    #[test]
    fn what_is_no_host_is_an_error_that_names_the_variable() {
        for text in ["a b", "h:port", "http://["] {
            let error = base_url(text).err().map(|error| error.message);
            let error = error.unwrap_or_else(|| panic!("{text} is one"));
            assert!(error.contains("OLLAMA_HOST"), "{error}");
        }
    }
}
