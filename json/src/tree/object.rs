//! Objects of the tree.

use std::collections::HashMap;

use super::Json;

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

    /// Changes a member in place, or adds it at the end.
    pub fn set(&mut self, key: impl AsRef<str> + Into<String>, value: impl Into<Json>) {
        match self.place(key.as_ref()) {
            Some(place) => self.members[place].1 = value.into(),
            None => self.push(key, value),
        }
    }

    /// Removes a member; the others keep their order.
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

impl IntoIterator for Object {
    type Item = (String, Json);
    type IntoIter = std::vec::IntoIter<(String, Json)>;

    fn into_iter(self) -> Self::IntoIter {
        self.members.into_iter()
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
