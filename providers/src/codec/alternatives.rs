//! Several responses to one request, of which the first counts.

use std::fmt;

use serde::{
    Deserializer,
    de::{Error, SeqAccess, Visitor},
};
use toolwright_runtime::model::{ModelEvent, Warning};

use super::partial_object::{Field, Object, ObjectSeed};

/// One of several responses.
pub(crate) trait Numbered {
    /// Its number; the first is 0.
    fn index(&self) -> Option<u64>;
}

/// The first of a list of responses, and whether there are others: no codec asks for more than one.
#[derive(Debug)]
pub(crate) struct Alternatives<T> {
    pub(crate) first: Option<T>,
    pub(crate) others: bool,
}

/// Returns the warning for a response that has more than one choice.
pub(crate) fn left_out() -> ModelEvent {
    ModelEvent::Warning(Warning::new(
        "other_choices",
        "the provider sent more than one choice; only the first is kept",
    ))
}

impl<T> Default for Alternatives<T> {
    fn default() -> Self {
        Self {
            first: None,
            others: false,
        }
    }
}

impl<'de, T: Object<'de> + Numbered> Field<'de> for Alternatives<T> {
    fn read<D: Deserializer<'de>>(place: &mut Option<Self>, value: D) -> Result<(), D::Error> {
        struct First<'p, T>(&'p mut Option<Alternatives<T>>);

        impl<'de, T: Object<'de> + Numbered> Visitor<'de> for First<'_, T> {
            type Value = ();

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of replies")
            }

            fn visit_none<E: Error>(self) -> Result<(), E> {
                Ok(())
            }

            fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
                value.deserialize_seq(self)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
                let all = self.0.insert(Alternatives::default());
                while all.first.is_none() {
                    let reply = all.first.insert(T::default());
                    let came = seq.next_element_seed(ObjectSeed(reply))?.is_some();
                    if !came || reply.index().unwrap_or(0) != 0 {
                        all.first = None;
                        all.others |= came;
                    }
                    if !came {
                        return Ok(());
                    }
                }
                let mut other = T::default();
                while seq.next_element_seed(ObjectSeed(&mut other))?.is_some() {
                    all.others = true;
                    other = T::default();
                }
                Ok(())
            }
        }

        value.deserialize_option(First(place))
    }
}
