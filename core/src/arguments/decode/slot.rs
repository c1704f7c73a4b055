//! Slots, which hold decoded arguments while the function runs.

use std::marker::PhantomData;

use serde::{Deserialize, Deserializer};

use crate::schema::LeftOut;

/// The place of one argument.
pub trait Slot<'de> {
    /// Decodes the argument into the slot.
    ///
    /// # Errors
    ///
    /// When it does not fit.
    fn decode<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error>;

    /// Finds the value for an argument that was left out. False if there is none.
    fn fill(&mut self) -> bool;
}

/// A slot, once it is decoded or filled.
pub trait Lend {
    /// The argument of the function: the value, or a borrow of it.
    type Value<'s>
    where
        Self: 's;

    /// Gives the function its value, once.
    ///
    /// # Panics
    ///
    /// When the slot was neither decoded nor filled, or has given its value away.
    fn lend(&mut self) -> Self::Value<'_>;
}

/// Returns the function's argument from a slot that is decoded or filled.
#[inline]
pub fn lend<S: Lend>(slot: &mut S) -> S::Value<'_> {
    slot.lend()
}

/// The reason why a slot has a value when it is used.
pub(crate) const FULL: &str = "every slot is decoded or filled, and lends once";

/// A slot whose value the function takes. It is decoded as `D`.
#[derive(Debug)]
pub struct Owned<T, D = T> {
    value: Option<T>,
    default: Option<fn() -> T>,
    decoded: PhantomData<fn() -> D>,
}

impl<T, D> Owned<T, D> {
    pub(crate) fn new(default: Option<fn() -> T>) -> Self {
        Self {
            value: None,
            default,
            decoded: PhantomData,
        }
    }
}

/// Decodes as `Self` what is taken as `T`.
pub trait Carry<T> {
    /// Returns the value.
    fn taken(self) -> T;
}

impl<T> Carry<T> for T {
    #[inline]
    fn taken(self) -> T {
        self
    }
}

impl<'de, T, D: Deserialize<'de> + Carry<T>> Slot<'de> for Owned<T, D> {
    #[inline]
    fn decode<De: Deserializer<'de>>(&mut self, deserializer: De) -> Result<(), De::Error> {
        self.value = Some(D::deserialize(deserializer)?.taken());
        Ok(())
    }

    #[inline]
    fn fill(&mut self) -> bool {
        self.value = match self.default {
            Some(default) => Some(default()),
            None => left_out::<D>().map(D::taken),
        };
        self.value.is_some()
    }
}

impl<T, D> Lend for Owned<T, D> {
    type Value<'s>
        = T
    where
        Self: 's;

    #[inline]
    fn lend(&mut self) -> T {
        self.value.take().expect(FULL)
    }
}

/// Returns the value of a type that is left out, if it may be.
#[inline]
pub(crate) fn left_out<'de, T: Deserialize<'de>>() -> Option<T> {
    T::deserialize(LeftOut).ok()
}

/// The slots of a function: a tuple.
pub trait Slots<'de> {
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
}

macro_rules! slots {
    ($($slot:ident $place:tt),*) => {
        #[allow(unused_variables)]
        impl<'de, $($slot: Slot<'de>),*> Slots<'de> for ($($slot,)*) {
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
