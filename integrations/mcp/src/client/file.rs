//! Servers of a file in the form of desktop clients.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use http::{HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;
use serde_json::Value;
use tokio::process::Command;

use super::{Client, listed::Named};

/// A file of servers cannot be used.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ServersError {
    /// The file cannot be read.
    #[error("`{path}` cannot be read: {error}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: Arc<io::Error>,
    },
    /// The text is not in the form of such a file.
    #[error("the file has not the form `{{\"mcpServers\": {{…}}}}`: {0}")]
    Form(Arc<serde_json::Error>),
    /// An entry cannot be used.
    #[error("server `{name}`: {error}")]
    Entry {
        /// The name of the entry.
        name: String,
        /// What is wrong with it.
        error: EntryError,
    },
}

/// An entry of a file of servers cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EntryError {
    /// A value has another form.
    #[error("{0}")]
    Form(String),
    /// There is no way to the server.
    #[error("it has neither a `command` nor a `url`")]
    NoWay,
    /// There are two ways to the server.
    #[error(
        "it has a `command` and a `url`, of which one is for a program and one for a server over HTTP"
    )]
    TwoWays,
    /// The transport is not spoken here.
    #[error("its `type` is `{0}`, which is not spoken here: `stdio` and `http` are")]
    Type(String),
    /// A variable of the environment is not set.
    #[error("`{at}` needs the environment variable `{variable}`, which is not set")]
    Variable {
        /// The key that needs it.
        at: String,
        /// Its name.
        variable: String,
    },
    /// A `${` has no `}`.
    #[error("`{0}` has a `${{` without a `}}`")]
    Open(String),
    /// A header is none of HTTP.
    #[error("`headers.{0}` is no header of HTTP")]
    Header(String),
}

impl ServersError {
    pub(crate) fn read(path: &Path, error: io::Error) -> Self {
        let (path, error) = (path.to_owned(), Arc::new(error));
        Self::Read { path, error }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    mcp_servers: BTreeMap<String, Value>,
}

/// The keys that decide something here.
#[derive(Deserialize)]
struct Entry {
    #[serde(rename = "type")]
    kind: Option<String>,
    command: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    cwd: Option<String>,
    url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default)]
    disabled: bool,
}

/// The servers of a file. None of them is started.
pub(crate) fn read(
    text: &str,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Vec<Named>, ServersError> {
    let file: File =
        serde_json::from_str(text).map_err(|error| ServersError::Form(Arc::new(error)))?;
    let clients =
        file.mcp_servers
            .into_iter()
            .map(|(name, entry)| match client(entry, &variable) {
                Ok(client) => Ok(client.map(|client| (name, client))),
                Err(error) => Err(ServersError::Entry { name, error }),
            });
    clients.filter_map(Result::transpose).collect()
}

fn client(
    entry: Value,
    variable: &impl Fn(&str) -> Option<String>,
) -> Result<Option<Client>, EntryError> {
    let entry: Entry =
        serde_json::from_value(entry).map_err(|error| EntryError::Form(error.to_string()))?;
    if entry.disabled {
        return Ok(None);
    }
    if let Some(kind) = entry.kind
        && !matches!(
            &*kind,
            "stdio" | "http" | "streamable-http" | "streamableHttp"
        )
    {
        return Err(EntryError::Type(kind));
    }
    let filled = |at: &str, text: &str| filled(at, text, variable);
    Ok(Some(match (entry.command, entry.url) {
        (Some(command), None) => {
            let command = filled("command", &command)?;
            let mut arguments = Vec::new();
            for (index, argument) in entry.args.iter().enumerate() {
                arguments.push(filled(&format!("args[{index}]"), argument)?);
            }
            let mut variables = Vec::new();
            for (name, value) in entry.env {
                let value = filled(&format!("env.{name}"), &value)?;
                variables.push((name, value));
            }
            let folder = entry.cwd.map(|folder| filled("cwd", &folder)).transpose()?;
            Client::of_program(move || {
                let mut started = Command::new(&command);
                started.args(&arguments).envs(variables.iter().cloned());
                if let Some(folder) = &folder {
                    started.current_dir(folder);
                }
                started
            })
        }
        (None, Some(url)) => {
            let url = filled("url", &url)?;
            let mut headers = HeaderMap::new();
            for (name, value) in entry.headers {
                let value = filled(&format!("headers.{name}"), &value)?;
                let header = HeaderName::try_from(&name)
                    .ok()
                    .zip(HeaderValue::try_from(value).ok());
                let Some((key, mut value)) = header else {
                    return Err(EntryError::Header(name));
                };
                value.set_sensitive(true);
                headers.insert(key, value);
            }
            Client::of_url(url, &headers)
        }
        (None, None) => return Err(EntryError::NoWay),
        (Some(_), Some(_)) => return Err(EntryError::TwoWays),
    }))
}

/// The text with the variables that it names.
fn filled(
    at: &str,
    text: &str,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<String, EntryError> {
    let (mut filled, mut rest) = (String::new(), text);
    while let Some((before, named)) = rest.split_once("${") {
        let Some((name, after)) = named.split_once('}') else {
            return Err(EntryError::Open(at.to_owned()));
        };
        let (name, otherwise) = match name.split_once(":-") {
            Some((name, otherwise)) => (name, Some(otherwise)),
            None => (name, None),
        };
        let value = variable(name).or_else(|| otherwise.map(str::to_owned));
        filled.push_str(before);
        filled.push_str(&value.ok_or_else(|| EntryError::Variable {
            at: at.to_owned(),
            variable: name.to_owned(),
        })?);
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::read;

    fn names(text: &str) -> Result<Vec<String>, String> {
        let variable = |name: &str| (name == "HOME").then(|| "/home/me".to_owned());
        let servers = read(text, variable).map_err(|error| error.to_string())?;
        Ok(servers.into_iter().map(|(name, _)| name).collect())
    }

    #[test]
    fn entries_of_other_clients_are_read() {
        let text = r#"{"mcpServers": {
            "files": {"command": "npx", "args": ["${HOME}/x", "${PORT:-80}"], "env": {"A": "${HOME}"}, "autoApprove": []},
            "off": {"command": "x", "disabled": true},
            "web": {"type": "http", "url": "https://example.com/mcp", "headers": {"X-Key": "k"}}
        }, "theme": "dark"}"#;
        assert_eq!(names(text), Ok(vec!["files".to_owned(), "web".to_owned()]));
    }

    #[test]
    fn an_error_names_the_entry_and_what_is_wrong() {
        for (entry, wrong) in [
            (r"{}", "server `a`: it has neither a `command` nor a `url`"),
            (
                r#"{"command": "x", "url": "y"}"#,
                "it has a `command` and a `url`",
            ),
            (r#"{"type": "sse", "url": "y"}"#, "its `type` is `sse`"),
            (r#"{"command": "x", "args": "y"}"#, "expected a sequence"),
            (
                r#"{"command": "x", "args": ["-k", "${KEY}"]}"#,
                "`args[1]` needs the environment variable `KEY`",
            ),
            (
                r#"{"command": "${KEY"}"#,
                "`command` has a `${` without a `}`",
            ),
            (
                r#"{"url": "u", "headers": {"a b": "c"}}"#,
                "`headers.a b` is no header",
            ),
        ] {
            let text = format!(r#"{{"mcpServers": {{"a": {entry}}}}}"#);
            let error = names(&text).unwrap_err();
            assert!(
                error.starts_with("server `a`: ") && error.contains(wrong),
                "{error}"
            );
        }
        let error = names(r#"{"servers": {}}"#).unwrap_err();
        assert!(error.contains("mcpServers"), "{error}");
    }
}
