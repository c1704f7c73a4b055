//! JSON as a tree that keeps the order of members and the text of numbers.

mod object;
mod value;

use std::fmt;

use crate::{
    nesting::nesting,
    path::key_of_step,
    string::{push_quoted, unescaped},
    tokens::Tokens,
};

pub use object::Object;

/// The maximum number of nested arrays and objects. It is made for schemas, which need two levels for each
/// level of a value, and a few more.
pub const MAX_DEPTH: usize = 96;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it was written.
    Number(String),
    /// A string, without its escapes.
    String(String),
    /// An array.
    List(Vec<Json>),
    /// An object.
    Object(Object),
}

/// The reason why a JSON text cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// Arrays and objects are nested too deep.
    TooDeep,
    /// A string in it holds half a character.
    HalfCharacter,
}

impl Json {
    /// Reads JSON text.
    ///
    /// # Errors
    ///
    /// Returns an error if it is nested deeper than [`MAX_DEPTH`], or a string in it is not a Rust string.
    pub fn parse(text: &str) -> Result<Self, Unreadable> {
        if nesting(text) > MAX_DEPTH {
            return Err(Unreadable::TooDeep);
        }
        // `JsonText` has checked that it is JSON: only `\ud800` and its like are no text to Rust.
        let mut tokens = Tokens::new(text);
        let first = tokens.next().unwrap_or_default();
        Self::read(first, &mut tokens).ok_or(Unreadable::HalfCharacter)
    }

    /// Reads a value whose first token has been read.
    fn read(first: &str, tokens: &mut Tokens<'_>) -> Option<Self> {
        Some(match first.as_bytes().first() {
            Some(b'{') => {
                let mut object = Object::new();
                while let Some(key) = tokens.part() {
                    let key = unescaped(key)?;
                    let first = tokens.part()?;
                    // Of a key that comes twice the last value counts, as everywhere.
                    object.set(key, Self::read(first, tokens)?);
                }
                Self::Object(object)
            }
            Some(b'[') => {
                let mut items = Vec::new();
                while let Some(first) = tokens.part() {
                    items.push(Self::read(first, tokens)?);
                }
                Self::List(items)
            }
            Some(b'"') => Self::String(unescaped(first)?.into_owned()),
            Some(b't') => Self::Bool(true),
            Some(b'f') => Self::Bool(false),
            Some(b'-' | b'0'..=b'9') => Self::Number(first.to_owned()),
            _ => Self::Null,
        })
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The members of an object.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The items of an array.
    pub fn as_list(&self) -> Option<&[Self]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    /// The number, as near as a float comes to it.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// A count: a whole number that is not negative.
    pub fn as_count(&self) -> Option<u64> {
        match self {
            Self::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Returns the value that a pointer such as `/properties/a` leads to.
    pub fn pointer(&self, pointer: &str) -> Option<&Self> {
        if pointer.is_empty() {
            return Some(self);
        }
        let mut at = self;
        for step in pointer.strip_prefix('/')?.split('/') {
            let step = key_of_step(step);
            at = match at {
                Self::Object(object) => object.get(&step)?,
                // An index is written in one way.
                Self::List(_) if step.len() > 1 && step.starts_with(['0', '+']) => return None,
                Self::List(items) => items.get(step.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        Some(at)
    }

    fn write(&self, text: &mut String) {
        match self {
            Self::Null => text.push_str("null"),
            Self::Bool(yes) => text.push_str(if *yes { "true" } else { "false" }),
            Self::Number(number) => text.push_str(number),
            Self::String(string) => push_quoted(text, string),
            Self::List(items) => {
                text.push('[');
                for (index, item) in items.iter().enumerate() {
                    text.push_str(if index > 0 { "," } else { "" });
                    item.write(text);
                }
                text.push(']');
            }
            Self::Object(object) => {
                text.push('{');
                for (index, (key, value)) in object.iter().enumerate() {
                    text.push_str(if index > 0 { "," } else { "" });
                    push_quoted(text, key);
                    text.push(':');
                    value.write(text);
                }
                text.push('}');
            }
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text);
        f.write_str(&text)
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<Object> for Json {
    fn from(object: Object) -> Self {
        Self::Object(object)
    }
}
