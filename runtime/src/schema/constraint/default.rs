//! Defaults that constants know, so that they are checked while the program is compiled.
//!
//! Which types these are is decided by constants of one name: an inherent one is found before that of
//! [`NoExample`], which every type has.

use std::marker::PhantomData;

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
