//! A mistake in the arguments: where, what was expected and what came.

use std::{
    borrow::Cow,
    fmt::{self, Display},
};

use serde::de::{Error, Expected, Unexpected};
use toolwright_json::path::{Step, cut, push_path};

use super::{
    choices::{self, Choices},
    expectation,
    suggest::nearest_first,
};
use crate::arguments::leniency::repair::Unrepairable;

/// The greatest number of known names in a message, the nearest first.
const SHOWN_NAMES: usize = 20;

/// A mistake in the arguments.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The way to it, the last step first.
    path: Vec<Step>,
    problem: Problem,
    /// The JSON text that came instead.
    got: Option<String>,
}

#[derive(Debug)]
enum Problem {
    /// Something else was expected.
    Expected(Cow<'static, str>),
    /// Something else was expected: one of these.
    OneOf(Choices),
    /// The text itself is broken, at a place further in.
    Broken {
        /// The way from here, as a model reads it.
        below: String,
        why: String,
    },
    /// Nothing came, where this was expected.
    Missing(Option<Cow<'static, str>>),
    /// The key came twice.
    Twice,
    /// No such key is known; these are.
    Unknown(Vec<&'static str>),
    /// The message of the type itself.
    Refused(String),
}

impl Fault {
    fn new(problem: Problem) -> Self {
        Self {
            path: Vec::new(),
            problem,
            got: None,
        }
    }

    pub(crate) fn expected(what: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Problem::Expected(what.into()))
    }

    pub(crate) fn one_of(choices: Choices) -> Self {
        Self::new(Problem::OneOf(choices))
    }

    /// The text itself is broken.
    pub(crate) fn broken(flaw: Unrepairable) -> Self {
        let below = flaw.path.strip_prefix("arguments").unwrap_or(&flaw.path);
        Self::new(Problem::Broken {
            below: below.to_owned(),
            why: flaw.reason,
        })
    }

    /// Creates a fault that fits no other kind.
    #[cfg(feature = "jsonschema")]
    pub(crate) fn refused(why: impl Into<String>) -> Self {
        Self::new(Problem::Refused(why.into()))
    }

    /// Nothing came for a key.
    pub(crate) fn missing(key: &str, expected: impl Into<Cow<'static, str>>) -> Self {
        Self::of_key(Problem::Missing(Some(expected.into())), key)
    }

    /// Nothing came for a key of a type that is not known further.
    pub(crate) fn missing_key(key: &str) -> Self {
        Self::of_key(Problem::Missing(None), key)
    }

    /// A key came twice.
    pub(crate) fn twice(key: &str) -> Self {
        Self::of_key(Problem::Twice, key)
    }

    /// The key at the end of this way, the last step first, came twice.
    pub(crate) fn twice_at(path: Vec<Step>) -> Self {
        Self {
            path,
            ..Self::new(Problem::Twice)
        }
    }

    /// A key is not among the known ones.
    pub(crate) fn unknown(key: &str, known: Vec<&'static str>) -> Self {
        Self::of_key(Problem::Unknown(known), key)
    }

    fn of_key(problem: Problem, key: &str) -> Self {
        Self::new(problem).inside(Step::Key(key.to_owned()))
    }

    /// The same fault, seen from one step further out.
    pub(crate) fn inside(mut self, step: Step) -> Self {
        self.enter(step);
        self
    }

    /// Sees the fault from one step further out.
    pub(crate) fn enter(&mut self, step: Step) {
        self.path.push(step);
    }

    /// Returns true if it is about a part of the value, and not the whole.
    pub(crate) fn is_inside(&self) -> bool {
        !self.path.is_empty()
    }

    /// Returns true if an argument is missing, or if the value holds no arguments.
    pub(crate) fn lacks_argument(&self) -> bool {
        self.is_about_kind() || self.path.len() == 1 && matches!(self.problem, Problem::Missing(_))
    }

    /// Returns true if another kind of value was expected in this very place.
    pub(crate) fn is_about_kind(&self) -> bool {
        self.path.is_empty() && matches!(self.problem, Problem::Expected(_) | Problem::OneOf(_))
    }

    /// Says which text came, unless the fault is about a place further in.
    pub(crate) fn with_text(mut self, text: &str) -> Self {
        self.set_text(text);
        self
    }

    /// Sets the text that came, as [`with_text`](Self::with_text) does.
    pub(crate) fn set_text(&mut self, text: &str) {
        let is_further_in = matches!(self.problem, Problem::Broken { .. });
        if self.path.is_empty() && self.got.is_none() && !is_further_in {
            self.got = Some(cut(text));
        }
    }

    /// The text for the model.
    pub(crate) fn message(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    /// Adds the text for the model.
    pub(crate) fn write(&self, text: &mut String) {
        text.push_str("arguments");
        push_path(text, self.path.iter().rev());
        if let Problem::Broken { below, why } = &self.problem {
            return extend(text, &[below, ": ", why]);
        }
        text.push_str(": ");
        match (&self.problem, &self.got) {
            // What is long comes behind what is short.
            (Problem::OneOf(choices), Some(got)) if choices.are_many() => {
                let expected = choices.text(Some(got));
                return extend(text, &["got ", got, ", expected ", &expected]);
            }
            (Problem::OneOf(choices), got) => {
                extend(text, &["expected ", &choices.text(got.as_deref())]);
            }
            (Problem::Expected(what), _) => extend(text, &["expected ", what]),
            (Problem::Missing(None), _) => text.push_str("missing"),
            (Problem::Missing(Some(expected)), _) => {
                extend(text, &["missing, expected ", expected]);
            }
            (Problem::Twice, _) => text.push_str("given twice, expected once"),
            (Problem::Unknown(known), _) if known.is_empty() => {
                text.push_str("unknown, expected no arguments");
            }
            (Problem::Unknown(known), _) => {
                let name = match self.path.first() {
                    Some(Step::Key(key)) => key.as_str(),
                    _ => "",
                };
                let mut names = nearest_first(name, known);
                names.truncate(SHOWN_NAMES);
                text.push_str("unknown, expected ");
                choices::push_names(text, &names);
            }
            (Problem::Refused(why), _) => text.push_str(why),
            (Problem::Broken { .. }, _) => {}
        }
        if let Some(got) = &self.got {
            extend(text, &[", got ", got]);
        }
    }
}

fn extend(text: &mut String, parts: &[&str]) {
    text.extend(parts.iter().copied());
}

impl Error for Fault {
    fn custom<T: Display>(message: T) -> Self {
        let message = message.to_string();
        Self::new(Problem::Refused(without_position(&message).to_owned()))
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::expected(expectation::of_visitor(expected))
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::expected(expectation::of_visitor(expected))
    }

    fn invalid_length(_: usize, expected: &dyn Expected) -> Self {
        Self::expected(expectation::of_visitor(expected))
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::one_of(Choices::of_names(expected.iter().copied()))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::unknown(field, expected.to_vec())
    }

    fn missing_field(field: &'static str) -> Self {
        Self::missing_key(field)
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::twice(field)
    }
}

/// A message without the place in the text that the decoder adds, which is a place in a part of it.
fn without_position(message: &str) -> &str {
    let position = message.rsplit_once(" at line ").filter(|(_, position)| {
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let position = position.split_once(" column ");
        position.is_some_and(|(line, column)| digits(line) && digits(column))
    });
    position.map_or(message, |(message, _)| message)
}

impl std::error::Error for Fault {}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}
