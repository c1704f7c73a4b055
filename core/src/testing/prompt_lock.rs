//! Names, descriptions and schemas of tools are part of the prompt: a file that shows them, and a
//! test that fails when they are no longer what the file shows.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    fmt, fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use super::{difference, update::Update};
use crate::{
    Schema,
    mutex::Mutex,
    tool::ToolDefinition,
    visible::{visible, visible_line},
};

/// The version of the format of the file.
const FORMAT: u32 = 1;

/// The definitions of tools as a model reads them, in a file that people review.
///
/// The file has a section for each tool, in order: its name, its description, and the schema of its
/// arguments with a line for each member. Characters that cannot be seen, and spaces at the end of a line, are
/// shown as `\u{…}`.
///
/// [`assert_prompt_lock!`](crate::assert_prompt_lock) makes one and checks it; this is for who needs
/// the parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptLock(String);

/// The definition of one tool as a model reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptTool {
    /// The name.
    pub name: Cow<'static, str>,
    /// The description.
    pub description: Cow<'static, str>,
    /// The schema of the arguments; `None` if the model gets none.
    pub parameters: Option<Schema>,
    /// Notes in the file, a line each, for the reviewer and not for the model.
    pub notes: Vec<String>,
}

impl From<&ToolDefinition> for PromptTool {
    fn from(tool: &ToolDefinition) -> Self {
        Self {
            name: tool.name.clone(),
            description: tool.description.clone(),
            parameters: Some(tool.input_schema.clone()),
            notes: notes(tool),
        }
    }
}

fn notes(tool: &ToolDefinition) -> Vec<String> {
    let strict = tool
        .strict
        .map(|rules| format!("strict: {}", rules.as_str()));
    let deferred = tool.deferred.then(|| "deferred".to_owned());
    strict.into_iter().chain(deferred).collect()
}

impl PromptLock {
    /// Creates the lock of these definitions.
    pub fn new<'d>(tools: impl IntoIterator<Item = &'d ToolDefinition>) -> Self {
        Self::for_provider("canonical", tools.into_iter().map(PromptTool::from))
    }

    /// Creates the lock of the definitions in the form that a provider receives. `form` is its name.
    pub fn for_provider(form: &str, tools: impl IntoIterator<Item = PromptTool>) -> Self {
        let mut text = format!(
            "# What a model is told of the tools: review a change as one of the prompt.\n\
             # Format {FORMAT}, form {form}. Written by a test when {} is set.\n",
            Update::VARIABLE,
            form = visible_line(form),
        );
        for tool in tools {
            text.push_str("\n== ");
            text.push_str(&visible_line(&tool.name));
            text.push('\n');
            for line in visible(&tool.description).split('\n') {
                // Indented, so that no description looks like a section.
                text.push_str(format!("> {line}").trim_end_matches(' '));
                text.push('\n');
            }
            if let Some(schema) = tool.parameters {
                text.push_str(&visible(&schema.to_pretty()));
                text.push('\n');
            }
            for note in tool.notes {
                text.push_str("! ");
                text.push_str(&visible_line(&note));
                text.push('\n');
            }
        }
        Self(text)
    }

    /// The text of the file.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Compares the text with that of a file, whatever its line endings, or writes the file.
    ///
    /// # Errors
    ///
    /// When the file does not exist, cannot be read or written, or has another text. The error says
    /// what to do.
    pub fn check(&self, path: &Path, update: Update) -> Result<(), PromptLockError> {
        let error = |problem| {
            let path = path.to_owned();
            Err(PromptLockError {
                path,
                problem,
                update,
            })
        };
        let locked = match fs::read(path) {
            // What is not UTF-8 differs, and is shown.
            Ok(bytes) => Some(with_line_ends(&bytes)),
            Err(missing) if missing.kind() == ErrorKind::NotFound => None,
            Err(unreadable) => return error(Problem::Unreadable(unreadable)),
        };
        if locked.as_deref() == Some(&self.0) {
            return Ok(());
        }
        if update == Update::Write {
            let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
            return match folder.and_then(|()| fs::write(path, &self.0)) {
                Ok(()) => Ok(()),
                Err(unwritable) => error(Problem::Unwritable(unwritable)),
            };
        }
        error(match locked {
            None => Problem::Missing,
            Some(locked) => Problem::Different(difference::between(&locked, &self.0)),
        })
    }
}

/// The text of a file with our line ends, the last of which an editor may have left out.
fn with_line_ends(bytes: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

impl fmt::Display for PromptLock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The error of a prompt lock: its file does not show these definitions.
#[derive(Debug)]
pub struct PromptLockError {
    path: PathBuf,
    problem: Problem,
    update: Update,
}

#[derive(Debug)]
enum Problem {
    Missing,
    Different(String),
    Unreadable(std::io::Error),
    Unwritable(std::io::Error),
}

impl fmt::Display for PromptLockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.problem {
            Problem::Missing => write!(f, "there is no `{path}` yet.\n\nTo write it")?,
            Problem::Different(difference) => write!(
                f,
                "the model is told something else of the tools than `{path}` shows.\n\n\
                 {difference}\nIf that is meant, write the file anew"
            )?,
            Problem::Unreadable(error) => return write!(f, "`{path}` cannot be read: {error}"),
            Problem::Unwritable(error) => return write!(f, "`{path}` cannot be written: {error}"),
        }
        write!(
            f,
            ": {}=1 cargo test\nThen review it and commit it.",
            Update::VARIABLE
        )?;
        if self.update == Update::NeverInCi {
            f.write_str(" Nothing is written here, because `CI` is set.")?;
        }
        Ok(())
    }
}

impl std::error::Error for PromptLockError {}

/// Runs the check of [`assert_prompt_lock!`](crate::assert_prompt_lock).
///
/// # Panics
///
/// When the file shows something else, or is not there.
#[doc(hidden)]
#[track_caller]
pub fn assert_prompt_lock(lock: &PromptLock, path: &Path) {
    assert!(
        is_alone(lock, path),
        "two prompt locks of this test program have the file `{}`: give each its own",
        path.display()
    );
    if let Err(error) = lock.check(path, Update::from_env()) {
        panic!("{error}");
    }
}

/// Does what [`assert_prompt_lock!`](crate::assert_prompt_lock) does with a profile.
///
/// # Panics
///
/// When the profile refuses a tool, or the file shows something else or is not there.
#[doc(hidden)]
#[track_caller]
pub fn assert_prompt_lock_in(lock: Result<PromptLock, impl fmt::Display>, path: &Path) {
    match lock {
        Ok(lock) => assert_prompt_lock(&lock, path),
        Err(refusal) => panic!("{refusal}"),
    }
}

/// Returns true if no other lock was checked against this file.
fn is_alone(lock: &PromptLock, path: &Path) -> bool {
    static LOCKS: Mutex<BTreeMap<PathBuf, PromptLock>> = Mutex::new(BTreeMap::new());
    let mut locks = LOCKS.lock();
    let first = locks.entry(path.to_owned()).or_insert_with(|| lock.clone());
    first == lock
}

/// Fails a test if the definitions of tools, as a model reads them, differ from a file.
///
/// Takes a [`Toolset`](crate::Toolset) and the path of the file, relative to the package. With the
/// environment variable `TOOLWRIGHT_UPDATE=1` it writes the file instead; never where `CI` is set.
///
/// ```no_run
/// use toolwright::{Toolset, testing::assert_prompt_lock};
///
/// # let tools = Toolset::new();
/// assert_prompt_lock!(tools, "tests/prompt.lock");
/// ```
///
/// A third argument is the `Profile` of a provider, to lock the definitions in the form for that provider: any value
/// that has its method `prompt_lock`. The file then also shows the parts that the provider does not receive.
///
/// ```no_run
/// use toolwright::{Toolset, profile::Profile, testing::assert_prompt_lock};
///
/// # let tools = Toolset::new();
/// assert_prompt_lock!(tools, "tests/gemini.lock", Profile::gemini());
/// ```
///
/// The third and fourth arguments are the name of a form and a function that describes a tool in it, as a
/// [`PromptTool`](crate::testing::PromptTool): for programs with a form of their own.
///
/// ```no_run
/// use toolwright::{Toolset, testing::{PromptTool, assert_prompt_lock}};
///
/// # let tools = Toolset::new();
/// assert_prompt_lock!(tools, "tests/short.lock", "without schema", |tool| PromptTool {
///     parameters: None,
///     ..PromptTool::from(tool)
/// });
/// ```
///
/// # Panics
///
/// When the file shows something else, with the lines that differ, or is not there; and when the
/// profile refuses a tool.
#[macro_export]
macro_rules! assert_prompt_lock {
    ($tools:expr, $path:expr $(,)?) => {
        $crate::testing::__assert_prompt_lock(
            &$crate::testing::PromptLock::new($tools.definitions()),
            &::std::path::Path::new(::std::env!("CARGO_MANIFEST_DIR")).join($path),
        )
    };
    ($tools:expr, $path:expr, $profile:expr $(,)?) => {
        $crate::testing::__assert_prompt_lock_in(
            $profile.prompt_lock($tools.definitions()),
            &::std::path::Path::new(::std::env!("CARGO_MANIFEST_DIR")).join($path),
        )
    };
    ($tools:expr, $path:expr, $form:expr, $told:expr $(,)?) => {
        $crate::testing::__assert_prompt_lock(
            &$crate::testing::PromptLock::for_provider($form, $tools.definitions().map($told)),
            &::std::path::Path::new(::std::env!("CARGO_MANIFEST_DIR")).join($path),
        )
    };
}

#[cfg(test)]
mod tests;
