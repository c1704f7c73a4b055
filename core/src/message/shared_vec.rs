//! A list whose clones share its items.

use std::{any::Any, fmt, ops::Deref, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::memo::Memo;

/// A list whose clones share its items.
///
/// It reads as a slice. A clone costs a pointer, however long the list is. A list that is shared is
/// copied before it changes; one that is not shared changes in place.
///
/// ```
/// use toolwright::message::{Part, SharedVec};
///
/// let mut parts: SharedVec<Part> = vec![Part::Text("Look at this:".into())].into();
/// let before = parts.clone();
/// parts.push(Part::Text("a cat".into()));
/// assert_eq!((before.len(), parts.len()), (1, 2));
/// ```
pub struct SharedVec<T>(
    /// Nothing at all for an empty list, which then allocates nothing.
    Option<Arc<Items<T>>>,
);

struct Items<T> {
    list: Vec<T>,
    memo: Memo,
}

impl<T: Clone> Clone for Items<T> {
    /// The list alone: a clone is made to be changed.
    fn clone(&self) -> Self {
        self.list.clone().into()
    }
}

impl<T> From<Vec<T>> for Items<T> {
    fn from(list: Vec<T>) -> Self {
        let memo = Memo::default();
        Self { list, memo }
    }
}

impl<T> SharedVec<T> {
    /// An empty list.
    pub const fn new() -> Self {
        Self(None)
    }

    /// The items.
    pub fn as_slice(&self) -> &[T] {
        self.0.as_ref().map_or(&[], |items| items.list.as_slice())
    }

    /// Returns the cached value that was computed from the items. Computes it if there is none, or if the cached
    /// one does not fit. It is kept as long as the items stay as they are, for all who share them.
    #[doc(hidden)]
    pub fn memo<V: Any + Send + Sync>(
        &self,
        fits: impl FnOnce(&V) -> bool,
        make: impl FnOnce() -> V,
    ) -> Arc<V> {
        match &self.0 {
            Some(items) => items.memo.get(fits, make),
            None => Arc::new(make()),
        }
    }

    /// Returns true if both have the same items in memory, or none at all.
    #[doc(hidden)]
    pub fn is_shared_with(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        }
    }
}

impl<T: Clone> SharedVec<T> {
    /// The list to change. Items that others share are cloned first.
    pub fn to_mut(&mut self) -> &mut Vec<T> {
        let items = Arc::make_mut(self.0.get_or_insert_with(|| Arc::new(Vec::new().into())));
        items.memo = Memo::default();
        &mut items.list
    }

    /// Adds an item at the end.
    pub fn push(&mut self, item: T) {
        self.to_mut().push(item);
    }

    /// The last item, to change it.
    pub fn last_mut(&mut self) -> Option<&mut T> {
        if self.is_empty() {
            return None;
        }
        self.to_mut().last_mut()
    }

    /// The items as a list of one's own. They are cloned if others share them.
    pub fn into_vec(self) -> Vec<T> {
        self.0
            .map(|items| Arc::unwrap_or_clone(items).list)
            .unwrap_or_default()
    }
}

impl<T> Deref for SharedVec<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T> AsRef<[T]> for SharedVec<T> {
    fn as_ref(&self) -> &[T] {
        self
    }
}

impl<T> Clone for SharedVec<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Default for SharedVec<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for SharedVec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

impl<T: PartialEq> PartialEq for SharedVec<T> {
    fn eq(&self, other: &Self) -> bool {
        self.is_shared_with(other) || self.as_slice() == other.as_slice()
    }
}

impl<T: Eq> Eq for SharedVec<T> {}

impl<T: PartialEq> PartialEq<[T]> for SharedVec<T> {
    fn eq(&self, other: &[T]) -> bool {
        self.as_slice() == other
    }
}

impl<T: PartialEq> PartialEq<&[T]> for SharedVec<T> {
    fn eq(&self, other: &&[T]) -> bool {
        self.as_slice() == *other
    }
}

impl<T: PartialEq, const N: usize> PartialEq<[T; N]> for SharedVec<T> {
    fn eq(&self, other: &[T; N]) -> bool {
        self.as_slice() == other
    }
}

impl<T: PartialEq> PartialEq<Vec<T>> for SharedVec<T> {
    fn eq(&self, other: &Vec<T>) -> bool {
        self.as_slice() == other
    }
}

impl<T> From<Vec<T>> for SharedVec<T> {
    fn from(items: Vec<T>) -> Self {
        Self((!items.is_empty()).then(|| Arc::new(items.into())))
    }
}

impl<T, const N: usize> From<[T; N]> for SharedVec<T> {
    fn from(items: [T; N]) -> Self {
        Vec::from(items).into()
    }
}

impl<T> FromIterator<T> for SharedVec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Vec::from_iter(items).into()
    }
}

impl<T: Clone> Extend<T> for SharedVec<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        self.to_mut().extend(items);
    }
}

impl<'a, T> IntoIterator for &'a SharedVec<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: Clone> IntoIterator for SharedVec<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

impl<T: Serialize> Serialize for SharedVec<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for SharedVec<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from)
    }
}
