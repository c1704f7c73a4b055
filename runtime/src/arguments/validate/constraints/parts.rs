//! The parts of a list, an object or a text, one after the other. What is not such a value has none.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};
use serde_json::value::RawValue;

/// Calls a function with each key of an object and its value.
pub(super) fn each_pair<'t>(text: &'t str, each: impl FnMut(&str, &'t str)) {
    let mut json = serde_json::Deserializer::from_str(text);
    // The text has been decoded before, so that it is an object or something else.
    let _ = json.deserialize_map(Each(each));
}

/// Calls a function with each item of a list and its place.
pub(super) fn each_item<'t>(text: &'t str, each: impl FnMut(usize, &'t str)) {
    let mut json = serde_json::Deserializer::from_str(text);
    let _ = json.deserialize_seq(EachItem(each));
}

/// Calls a function with a text, which is copied only if something in it is escaped.
pub(super) fn with_string(text: &str, judge: impl Fn(&str) -> bool) -> bool {
    let Ok(Key(text)) = serde_json::from_str(text) else {
        return true;
    };
    judge(text.as_ref())
}

struct Each<F>(F);

impl<'t, F: FnMut(&str, &'t str)> Visitor<'t> for Each<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(Key(key)) = map.next_key()? {
            let value: &'t RawValue = map.next_value()?;
            (self.0)(key.as_ref(), value.get());
        }
        Ok(())
    }
}

struct EachItem<F>(F);

impl<'t, F: FnMut(usize, &'t str)> Visitor<'t> for EachItem<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'t>>(mut self, mut list: A) -> Result<(), A::Error> {
        let mut index = 0;
        while let Some(item) = list.next_element::<&'t RawValue>()? {
            (self.0)(index, item.get());
            index += 1;
        }
        Ok(())
    }
}

/// A text that is borrowed where it can be.
struct Key<'t>(std::borrow::Cow<'t, str>);

impl<'t> Deserialize<'t> for Key<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl<'t> Visitor<'t> for Text {
            type Value = Key<'t>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'t str) -> Result<Key<'t>, E> {
                Ok(Key(text.into()))
            }

            fn visit_str<E>(self, text: &str) -> Result<Key<'t>, E> {
                Ok(Key(text.to_owned().into()))
            }
        }

        deserializer.deserialize_str(Text)
    }
}
