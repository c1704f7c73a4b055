//! Values that are known while the program is compiled: limits and examples.

use std::fmt;

use toolwright_json::string::quoted;

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

/// As JSON has it, without the fraction of a whole one.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(number) => number.fmt(f),
            Self::Float(number) => {
                // A number that is not finite has been refused.
                let text = serde_json::to_string(number).unwrap_or_default();
                f.write_str(text.strip_suffix(".0").unwrap_or(&text))
            }
        }
    }
}

/// As JSON.
impl fmt::Display for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::Character(char) => f.write_str(&quoted(char.encode_utf8(&mut [0; 4]))),
            Self::Number(number) => number.fmt(f),
            Self::Boolean(value) => value.fmt(f),
            Self::List(items) => {
                let items: Vec<_> = items.iter().map(Self::to_string).collect();
                write!(f, "[{}]", items.join(","))
            }
        }
    }
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
