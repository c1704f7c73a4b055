//! JSON as a tree that keeps the order of members and the text of numbers.

use std::{collections::HashMap, fmt};

use crate::{
    nesting::nesting,
    path::key_of_step,
    string::{quoted, unescaped},
    tokens::Tokens,
};

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

/// The members of an object, in order; each key is there once.
#[derive(Debug, Clone, Default)]
pub struct Object {
    members: Vec<(String, Json)>,
    /// The position of each key, if there are many keys.
    places: HashMap<String, usize>,
}

/// From how many members on keys are looked up and not searched for.
const MANY: usize = 32;

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.members == other.members
    }
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
            Self::String(string) => text.push_str(&quoted(string)),
            Self::List(items) => {
                text.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        text.push(',');
                    }
                    item.write(text);
                }
                text.push(']');
            }
            Self::Object(object) => {
                text.push('{');
                for (index, (key, value)) in object.iter().enumerate() {
                    if index > 0 {
                        text.push(',');
                    }
                    text.push_str(&quoted(key));
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

impl Object {
    /// An object without members.
    pub fn new() -> Self {
        Self::default()
    }

    fn place(&self, key: &str) -> Option<usize> {
        if self.members.len() < MANY {
            return self.members.iter().position(|(name, _)| name == key);
        }
        self.places.get(key).copied()
    }

    /// Notes where keys stand.
    fn index(&mut self) {
        self.places.clear();
        if self.members.len() >= MANY {
            // Of a key that comes twice the first counts.
            let keys = self.members.iter().enumerate().rev();
            self.places = keys.map(|(place, (key, _))| (key.clone(), place)).collect();
        }
    }

    /// Finds the value of a key.
    pub fn get(&self, key: &str) -> Option<&Json> {
        Some(&self.members[self.place(key)?].1)
    }

    /// Finds the value of a key, to change it.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Json> {
        let place = self.place(key)?;
        Some(&mut self.members[place].1)
    }

    /// True if a key is there.
    pub fn contains(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The text of a key, if it is one.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// Adds a member at the end. The key must be new.
    pub fn push(&mut self, key: impl Into<String>, value: impl Into<Json>) {
        self.members.push((key.into(), value.into()));
        let place = self.members.len() - 1;
        if place + 1 == MANY {
            self.index();
        } else if place >= MANY {
            let key = self.members[place].0.clone();
            self.places.entry(key).or_insert(place);
        }
    }

    /// Changes a member where it stands, or adds it at the end.
    pub fn set(&mut self, key: impl AsRef<str> + Into<String>, value: impl Into<Json>) {
        match self.place(key.as_ref()) {
            Some(place) => self.members[place].1 = value.into(),
            None => self.push(key, value),
        }
    }

    /// Takes a member out; the others keep their order.
    pub fn remove(&mut self, key: &str) -> Option<Json> {
        let place = self.place(key)?;
        let (_, value) = self.members.remove(place);
        self.index();
        Some(value)
    }

    /// True if there are no members.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The members, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json)> {
        self.members
            .iter()
            .map(|(key, value)| (key.as_str(), value))
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.iter().map(|(key, _)| key)
    }
}

impl<K: Into<String>> FromIterator<(K, Json)> for Object {
    fn from_iter<I: IntoIterator<Item = (K, Json)>>(members: I) -> Self {
        let members = members.into_iter().map(|(key, value)| (key.into(), value));
        let mut object = Self {
            members: members.collect(),
            places: HashMap::new(),
        };
        object.index();
        object
    }
}
