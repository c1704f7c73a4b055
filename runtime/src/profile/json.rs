//! JSON as a tree that keeps the order of members and the text of numbers.

use std::{collections::HashMap, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

/// How deep lists and objects of a schema may stand inside each other: two for each level of the
/// arguments, and some.
pub(super) const MAX_DEPTH: usize = 96;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    /// As it was written.
    Number(String),
    String(String),
    List(Vec<Json>),
    Object(Object),
}

/// The members of an object, in order; each key is there once.
#[derive(Debug, Clone, Default)]
pub(super) struct Object {
    members: Vec<(String, Json)>,
    /// Where each key stands, if there are many.
    places: HashMap<String, usize>,
}

/// From how many members on keys are looked up and not searched for.
const MANY: usize = 32;

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.members == other.members
    }
}

/// Why a text is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// Lists and objects stand too deep inside each other.
    TooDeep,
    /// A text in it holds half a character.
    HalfCharacter,
}

impl Json {
    /// Reads JSON text.
    pub(super) fn parse(text: &str) -> Result<Self, Unreadable> {
        if is_too_deep(text) {
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

    pub(super) fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    pub(super) fn as_list(&self) -> Option<&[Self]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    /// The number, as near as a float comes to it.
    pub(super) fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// A count: a whole number that is not negative.
    pub(super) fn as_count(&self) -> Option<u64> {
        match self {
            Self::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// What a pointer such as `/properties/a` leads to.
    pub(super) fn pointer(&self, pointer: &str) -> Option<&Self> {
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
    pub(super) fn new() -> Self {
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

    pub(super) fn get(&self, key: &str) -> Option<&Json> {
        Some(&self.members[self.place(key)?].1)
    }

    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut Json> {
        let place = self.place(key)?;
        Some(&mut self.members[place].1)
    }

    pub(super) fn contains(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The text of a key, if it is one.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// Adds a member at the end. The key must be new.
    pub(super) fn push(&mut self, key: impl Into<String>, value: impl Into<Json>) {
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
    pub(super) fn set(&mut self, key: &str, value: impl Into<Json>) {
        match self.place(key) {
            Some(place) => self.members[place].1 = value.into(),
            None => self.push(key, value),
        }
    }

    pub(super) fn remove(&mut self, key: &str) -> Option<Json> {
        let place = self.place(key)?;
        let (_, value) = self.members.remove(place);
        self.index();
        Some(value)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Json)> {
        self.members
            .iter()
            .map(|(key, value)| (key.as_str(), value))
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
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

/// Whether lists and objects stand too deep inside each other, found in one pass.
fn is_too_deep(text: &str) -> bool {
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => depth += 1,
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return true;
        }
    }
    false
}

/// A text as JSON.
pub(super) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_else(|_| unreachable!("text is JSON"))
}

/// The members of an object in JSON text, in order, each value as it was written. A key may come
/// twice.
pub(super) struct Pairs<'t>(pub(super) Vec<(String, &'t RawValue)>);

impl<'de> Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;

        impl<'de> Visitor<'de> for Collect {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }

        deserializer.deserialize_map(Collect)
    }
}
