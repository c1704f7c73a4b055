//! JSON as a tree that keeps the order of members and the text of numbers.

use std::{collections::HashMap, fmt};

use serde_json::value::RawValue;

use crate::{nesting::nesting, pairs::Pairs};

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
        Self::parse_shallow(text).ok_or(Unreadable::HalfCharacter)
    }

    fn parse_shallow(text: &str) -> Option<Self> {
        // Each level reads its text again, which the limit of depth bounds.
        Some(match text.as_bytes().first() {
            Some(b'{') => Self::Object(Object::parse(serde_json::from_str(text).ok()?)?),
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
                let items = items
                    .into_iter()
                    .map(|item| Self::parse_shallow(item.get()));
                Self::List(items.collect::<Option<_>>()?)
            }
            Some(b'"') => Self::String(serde_json::from_str(text).ok()?),
            Some(b't') => Self::Bool(true),
            Some(b'f') => Self::Bool(false),
            Some(b'-' | b'0'..=b'9') => Self::Number(text.to_owned()),
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
            let step = step.replace("~1", "/").replace("~0", "~");
            at = match at {
                Self::Object(object) => object.get(&step)?,
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

    fn parse(Pairs(pairs): Pairs<'_>) -> Option<Self> {
        let mut places: HashMap<String, usize> = HashMap::with_capacity(pairs.len());
        let mut members: Vec<(String, Json)> = Vec::with_capacity(pairs.len());
        for (key, raw) in pairs {
            let value = Json::parse_shallow(raw.get())?;
            // Of a key that comes twice the last value counts, as everywhere.
            if let Some(&place) = places.get(&key) {
                members[place].1 = value;
            } else {
                places.insert(key.clone(), members.len());
                members.push((key, value));
            }
        }
        Some(members.into_iter().collect())
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
    pub fn set(&mut self, key: &str, value: impl Into<Json>) {
        match self.place(key) {
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

/// A text as JSON.
pub fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_else(|_| unreachable!("text is JSON"))
}
