//! Defaults that can be checked: constants while the program is compiled, others as JSON in a test.
//!
//! Which types these are is decided by what is found first: an inherent constant or method before that of a
//! trait that every type has.

use std::marker::PhantomData;

use serde::Serialize;

use super::{Example, Typed};

/// A default of the type `T` that is a constant.
pub trait ConstDefault<T> {
    /// The value.
    const VALUE: T;
}

/// The constant that `C` holds, of the type `T`.
#[derive(Debug)]
pub struct Constant<C, T>(PhantomData<fn() -> (C, T)>);

/// Found for every type of which nothing is known.
pub trait NoExample {
    /// Nothing.
    const EXAMPLE: Option<Example> = None;
}

impl<C, T> NoExample for Constant<C, T> {}

macro_rules! constants {
    ($($ty:ty),* $(,)?) => {$(
        impl<C: ConstDefault<$ty>> Constant<C, $ty> {
            /// The value.
            pub const EXAMPLE: Option<Example> = Some(Typed(C::VALUE).example());
        }

        impl<C: ConstDefault<Option<$ty>>> Constant<C, Option<$ty>> {
            /// The value, if there is one.
            pub const EXAMPLE: Option<Example> = match C::VALUE {
                Some(value) => Some(Typed(value).example()),
                None => None,
            };
        }
    )*};
}

constants! {
    i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64, char, &'static str,
}

/// The function that makes a default.
#[derive(Debug)]
pub struct DefaultFn<T>(pub fn() -> T);

/// The default of a type.
#[derive(Debug)]
pub struct DefaultOf<T>(PhantomData<fn() -> T>);

impl<T: Serialize> DefaultFn<T> {
    /// The default as JSON.
    pub fn json(&self) -> Option<String> {
        serde_json::to_string(&(self.0)()).ok()
    }
}

impl<T> DefaultOf<T> {
    /// The only one.
    pub const NEW: Self = Self(PhantomData);
}

impl<T: Default + Serialize> DefaultOf<T> {
    /// The default as JSON.
    pub fn json(&self) -> Option<String> {
        DefaultFn(T::default).json()
    }
}

/// Found for every type that cannot be written.
pub trait NotWritten {
    /// Nothing.
    fn json(&self) -> Option<String> {
        None
    }
}

impl<T> NotWritten for DefaultFn<T> {}
impl<T> NotWritten for DefaultOf<T> {}
