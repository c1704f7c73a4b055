//! Several replies to one request, of which the first counts.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{SeqAccess, Visitor},
};

use crate::model::{ModelEvent, Warning};

/// One of several replies.
pub(crate) trait Numbered {
    /// Its number; the first is 0.
    fn index(&self) -> Option<u64>;
}

/// The first of a list of replies, and whether there are others: no codec asks for more than one.
#[derive(Debug)]
pub(crate) struct Alternatives<T> {
    pub(crate) first: Option<T>,
    pub(crate) others: bool,
}

/// What is said where there are others.
pub(crate) fn left_out() -> ModelEvent {
    ModelEvent::Warning(Warning::new(
        "other_choices",
        "the provider sent more than one choice; only the first is kept",
    ))
}

impl<'de, T: Deserialize<'de> + Numbered> Deserialize<'de> for Alternatives<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct First<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de> + Numbered> Visitor<'de> for First<T> {
            type Value = Alternatives<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of replies")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut all = Alternatives {
                    first: None,
                    others: false,
                };
                while let Some(reply) = seq.next_element::<T>()? {
                    if all.first.is_none() && reply.index().unwrap_or(0) == 0 {
                        all.first = Some(reply);
                    } else {
                        all.others = true;
                    }
                }
                Ok(all)
            }
        }

        deserializer.deserialize_seq(First(PhantomData))
    }
}
