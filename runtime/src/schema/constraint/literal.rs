//! Values that are known while the program is compiled: limits and examples.

/// A number that is a limit or an example.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// A whole number.
    Integer(i128),
    /// A floating-point number.
    Float(f64),
}

/// A value that a model might send.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Example {
    /// A text.
    Text(&'static str),
    /// A text of one character.
    Character(char),
    /// A number.
    Number(Number),
    /// `true` or `false`.
    Boolean(bool),
    /// A list.
    List(&'static [Example]),
}

/// A constant of a type that only the type system knows.
#[derive(Debug)]
pub struct Typed<T>(pub T);

macro_rules! numbers {
    ($($variant:ident as $widest:ty: $($ty:ty),*;)*) => {$($(
        impl Typed<$ty> {
            /// The number.
            pub const fn number(self) -> Number {
                Number::$variant(self.0 as $widest)
            }

            /// The number, as an example.
            pub const fn example(self) -> Example {
                Example::Number(self.number())
            }
        }
    )*)*};
}

numbers! {
    Integer as i128: i8, i16, i32, i64, isize, u8, u16, u32, u64, usize;
    Float as f64: f32, f64;
}

impl Typed<&'static str> {
    /// The text.
    pub const fn example(self) -> Example {
        Example::Text(self.0)
    }
}

impl Typed<char> {
    /// The character.
    pub const fn example(self) -> Example {
        Example::Character(self.0)
    }
}

impl Typed<bool> {
    /// The value.
    pub const fn example(self) -> Example {
        Example::Boolean(self.0)
    }
}
