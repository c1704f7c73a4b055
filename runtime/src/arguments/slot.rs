//! Where decoded arguments rest until the function takes them.

use serde::{Deserialize, Deserializer};

use crate::schema::LeftOut;

/// The place of one argument.
pub trait Slot<'de> {
    /// What the function takes.
    type Value;

    /// Decodes the argument into the slot.
    ///
    /// # Errors
    ///
    /// When it does not fit.
    fn decode<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error>;

    /// Puts in the value for an argument that was left out. False if there is none.
    fn fill(&mut self) -> bool;

    /// Takes the value out.
    ///
    /// # Panics
    ///
    /// When the slot was neither decoded nor filled.
    fn into_value(self) -> Self::Value;
}

/// A slot whose value the function owns.
#[derive(Debug)]
pub struct Owned<T> {
    value: Option<T>,
    default: Option<fn() -> T>,
}

impl<T> Owned<T> {
    pub(super) fn new(default: Option<fn() -> T>) -> Self {
        Self {
            value: None,
            default,
        }
    }
}

impl<'de, T: Deserialize<'de>> Slot<'de> for Owned<T> {
    type Value = T;

    #[inline]
    fn decode<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        self.value = Some(T::deserialize(deserializer)?);
        Ok(())
    }

    #[inline]
    fn fill(&mut self) -> bool {
        self.value = match self.default {
            Some(default) => Some(default()),
            None => T::deserialize(LeftOut).ok(),
        };
        self.value.is_some()
    }

    #[inline]
    fn into_value(self) -> T {
        self.value
            .expect("every slot is decoded or filled before the values are taken")
    }
}

/// The slots of a function: a tuple.
pub trait Slots<'de> {
    /// What the function takes: a tuple.
    type Values;

    /// Decodes an argument by the place of its slot.
    ///
    /// # Errors
    ///
    /// When it does not fit.
    fn decode<D: Deserializer<'de>>(
        &mut self,
        place: usize,
        deserializer: D,
    ) -> Result<(), D::Error>;

    /// Fills a slot by its place. False if the argument may not be left out.
    fn fill(&mut self, place: usize) -> bool;

    /// Takes the values out.
    fn into_values(self) -> Self::Values;
}

macro_rules! slots {
    ($($slot:ident $place:tt),*) => {
        #[allow(non_snake_case, unused_variables, clippy::unused_unit)]
        impl<'de, $($slot: Slot<'de>),*> Slots<'de> for ($($slot,)*) {
            type Values = ($($slot::Value,)*);

            #[inline]
            fn decode<De: Deserializer<'de>>(
                &mut self,
                place: usize,
                deserializer: De,
            ) -> Result<(), De::Error> {
                match place {
                    $($place => self.$place.decode(deserializer),)*
                    _ => unreachable!("a place is found among the names, one for each slot"),
                }
            }

            #[inline]
            fn fill(&mut self, place: usize) -> bool {
                match place {
                    $($place => self.$place.fill(),)*
                    _ => unreachable!("a place is found among the names, one for each slot"),
                }
            }

            #[inline]
            fn into_values(self) -> Self::Values {
                let ($($slot,)*) = self;
                ($($slot.into_value(),)*)
            }
        }
    };
}

slots!();
slots!(A 0);
slots!(A 0, B 1);
slots!(A 0, B 1, C 2);
slots!(A 0, B 1, C 2, D 3);
slots!(A 0, B 1, C 2, D 3, E 4);
slots!(A 0, B 1, C 2, D 3, E 4, F 5);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14, P 15);
