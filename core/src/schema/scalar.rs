//! The descriptions of types without parts.

use std::{
    borrow::Cow,
    num::{
        NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroIsize, NonZeroU8, NonZeroU16,
        NonZeroU32, NonZeroU64, NonZeroUsize,
    },
    path::PathBuf,
};

use serde_json::{Map, Value};

use super::{
    Constrained, Constraint, Constraints, Describe, Ends, FlattenInput, Form, Fuel, Kind, Node,
    ToolInput, TypeFacts,
};

/// The description of `T`, a type without parts.
#[derive(Debug)]
pub struct Scalar<T>(std::marker::PhantomData<T>);

macro_rules! scalars {
    ($($ty:ty: $kind:expr $(, of $form:expr)?;)*) => {$(
        impl Describe for Scalar<$ty> {
            const FACTS: TypeFacts = TypeFacts::of($kind)$(.with_form($form))?;

            fn node() -> &'static Node {
                const { &Node::new($kind) }
            }
        }

        impl Ends for Scalar<$ty> {}

        #[diagnostic::do_not_recommend]
        impl ToolInput for $ty {
            type Body<F: Fuel> = Scalar<$ty>;
        }
    )*};
}

scalars! {
    (): Kind::Null;
    Value: Kind::Any;
    bool: Kind::Boolean;
    char: Kind::Character;
    String: Kind::String;
    Box<str>: Kind::String;
    PathBuf: Kind::String;
    f64: Kind::Number;
    f32: Kind::Number, of Form::Number { maximum: f32::MAX as f64 };
    i8: integer(Some(i8::MIN as i64), Some(i8::MAX as u64));
    i16: integer(Some(i16::MIN as i64), Some(i16::MAX as u64));
    i32: integer(Some(i32::MIN as i64), Some(i32::MAX as u64));
    // Limits beyond what a JSON number holds exactly tell a model nothing.
    i64: integer(None, None);
    isize: integer(None, None);
    u8: integer(Some(0), Some(u8::MAX as u64));
    u16: integer(Some(0), Some(u16::MAX as u64));
    u32: integer(Some(0), Some(u32::MAX as u64));
    u64: integer(Some(0), None);
    usize: integer(Some(0), None);
    NonZeroU8: integer(Some(1), Some(u8::MAX as u64));
    NonZeroU16: integer(Some(1), Some(u16::MAX as u64));
    NonZeroU32: integer(Some(1), Some(u32::MAX as u64));
    NonZeroU64: integer(Some(1), None);
    NonZeroUsize: integer(Some(1), None);
}

macro_rules! not_zero {
    ($($ty:ty: $integer:ty),* $(,)?) => {$(
        #[diagnostic::do_not_recommend]
        impl ToolInput for $ty {
            type Body<F: Fuel> = Constrained<Scalar<$integer>, NotZero>;
        }
    )*};
}

not_zero! {
    NonZeroI8: i8,
    NonZeroI16: i16,
    NonZeroI32: i32,
    NonZeroI64: i64,
    NonZeroIsize: isize,
}

/// The constraint of the signed `NonZero` integers.
#[derive(Debug)]
pub struct NotZero;

impl Constraints for NotZero {
    const ALL: &'static [Constraint] = &[Constraint::NotZero];
}

const fn integer(minimum: Option<i64>, maximum: Option<u64>) -> Kind {
    Kind::Integer { minimum, maximum }
}

/// Decoded into an owned text.
#[diagnostic::do_not_recommend]
impl ToolInput for Cow<'_, str> {
    type Body<F: Fuel> = Scalar<String>;
}

#[diagnostic::do_not_recommend]
impl ToolInput for Map<String, Value> {
    type Body<F: Fuel> = super::container::Map<Scalar<Value>>;
}

#[diagnostic::do_not_recommend]
impl FlattenInput for Map<String, Value> {}
