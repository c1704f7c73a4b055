//! A mistake in the arguments: where, what was expected and what came.

use std::fmt::{self, Display};

use serde::de::{Error, Expected, Unexpected};

use super::{
    expectation,
    nearest::nearest_first,
    step::{Step, cut, path_text},
};

/// How many of the known names are told, the nearest first.
const SHOWN_NAMES: usize = 20;

/// A mistake in the arguments.
#[derive(Debug)]
pub(super) struct Fault {
    /// The way to it, the last step first.
    path: Vec<Step>,
    problem: Problem,
    /// The JSON text that came instead.
    got: Option<String>,
}

#[derive(Debug)]
enum Problem {
    /// Something else was expected.
    Expected(String),
    /// Nothing came, where this was expected.
    Missing(Option<String>),
    /// The key came twice.
    Twice,
    /// No such key is known; these are.
    Unknown(Vec<&'static str>),
    /// What the type itself said.
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

    pub(super) fn expected(what: impl Into<String>) -> Self {
        Self::new(Problem::Expected(what.into()))
    }

    /// What has no other word.
    #[cfg(feature = "jsonschema")]
    pub(super) fn refused(why: impl Into<String>) -> Self {
        Self::new(Problem::Refused(why.into()))
    }

    /// Nothing came for a key.
    pub(super) fn missing(key: &str, expected: String) -> Self {
        Self::of_key(Problem::Missing(Some(expected)), key)
    }

    /// Nothing came for a key of a type that is not known further.
    pub(super) fn missing_key(key: &str) -> Self {
        Self::of_key(Problem::Missing(None), key)
    }

    /// A key came twice.
    pub(super) fn twice(key: &str) -> Self {
        Self::of_key(Problem::Twice, key)
    }

    /// The key at the end of this way, the last step first, came twice.
    pub(super) fn twice_at(path: Vec<Step>) -> Self {
        Self {
            path,
            ..Self::new(Problem::Twice)
        }
    }

    /// A key is not among the known ones.
    pub(super) fn unknown(key: &str, known: Vec<&'static str>) -> Self {
        Self::of_key(Problem::Unknown(known), key)
    }

    fn of_key(problem: Problem, key: &str) -> Self {
        Self::new(problem).inside(Step::Key(key.to_owned()))
    }

    /// The same fault, seen from one step further out.
    pub(super) fn inside(mut self, step: Step) -> Self {
        self.enter(step);
        self
    }

    /// Sees the fault from one step further out.
    pub(super) fn enter(&mut self, step: Step) {
        self.path.push(step);
    }

    /// Whether it is about a part of the value, and not the whole.
    pub(super) fn is_inside(&self) -> bool {
        !self.path.is_empty()
    }

    /// Whether an argument is missing, or something came that holds no arguments.
    pub(super) fn lacks_argument(&self) -> bool {
        self.is_about_kind() || self.path.len() == 1 && matches!(self.problem, Problem::Missing(_))
    }

    /// Whether another kind of value was expected in this very place.
    pub(super) fn is_about_kind(&self) -> bool {
        self.path.is_empty() && matches!(self.problem, Problem::Expected(_))
    }

    /// Says which text came, unless the fault is about a place further in.
    pub(super) fn with_text(mut self, text: &str) -> Self {
        if self.path.is_empty() && self.got.is_none() {
            self.got = Some(cut(text));
        }
        self
    }

    /// The text for the model.
    pub(super) fn message(&self) -> String {
        let mut text = path_text(self.path.iter().rev());
        text.push_str(": ");
        match &self.problem {
            Problem::Expected(what) => {
                text.push_str("expected ");
                text.push_str(what);
            }
            Problem::Missing(expected) => {
                text.push_str("missing");
                if let Some(expected) = expected {
                    text.push_str(", expected ");
                    text.push_str(expected);
                }
            }
            Problem::Twice => text.push_str("given twice, expected once"),
            Problem::Unknown(known) if known.is_empty() => {
                text.push_str("unknown, expected no arguments");
            }
            Problem::Unknown(known) => {
                let name = match self.path.first() {
                    Some(Step::Key(key)) => key.as_str(),
                    _ => "",
                };
                text.push_str("unknown, expected ");
                let mut names = nearest_first(name, known);
                names.truncate(SHOWN_NAMES);
                text.push_str(&expectation::one_of(names));
            }
            Problem::Refused(why) => text.push_str(why),
        }
        if let Some(got) = &self.got {
            text.push_str(", got ");
            text.push_str(got);
        }
        text
    }
}

impl Error for Fault {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(Problem::Refused(message.to_string()))
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
        Self::expected(expectation::one_of(expected.iter().copied()))
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

impl std::error::Error for Fault {}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}
