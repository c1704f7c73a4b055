//! The one type inside another that a model cannot send, named where it is written.
//!
//! The types that may be the reason are written by the macro; which of them is, is found here, by constants: [`Fits`]
//! has one of its own for what a model can send, and every other type has the trait's. The whole type is then not
//! asked any more ([`Gate`]), so that one mistake is one error.
//!
//! A trait of the user may have a constant for every type as well. Theirs have other names.

use std::{
    collections::{BTreeMap, HashMap},
    marker::PhantomData,
    num::{NonZeroI128, NonZeroU128},
};

use super::{ToolInput, each::any};

/// A type that a model has to be able to send.
#[derive(Debug)]
pub struct Fits<T>(PhantomData<fn() -> T>);

impl<T: ToolInput> Fits<T> {
    /// It can.
    pub const __FITS: bool = true;
}

/// Found for every other type.
pub trait FitsNot {
    /// It cannot.
    const __FITS: bool = false;
}

impl<T> FitsNot for Fits<T> {}

/// A type inside another that needs no error.
const NO_CULPRIT: u8 = 0;
/// One that has an integer of 128 bits.
const WIDE: u8 = 1;
/// A map whose keys are no text.
const MAP: u8 = 2;
/// Any other type, unless the macro sees a reason.
const OTHER: u8 = 3;
/// A tuple that is too long.
const TUPLE: u8 = 4;
/// A type of another crate that needs a feature.
const FEATURE: u8 = 5;

/// The reason for a type that does not fit, as far as the type says it.
#[derive(Debug)]
pub struct Reason<T>(PhantomData<fn() -> T>);

macro_rules! reasons {
    ($($reason:ident: $([$($parameter:ident),*] $ty:ty),*;)*) => {$($(
        impl<$($parameter),*> Reason<$ty> {
            /// Why it does not fit.
            pub const __REASON: u8 = $reason;
        }
    )*)*};
}

reasons! {
    WIDE: [] u128, [] i128, [] NonZeroU128, [] NonZeroI128;
    MAP: [K, V, S] HashMap<K, V, S>, [K, V] BTreeMap<K, V>;
}

/// Found for every other type.
pub trait NoReason {
    /// Only the macro may know one.
    const __REASON: u8 = OTHER;
}

impl<T> NoReason for Reason<T> {}

/// Why a type inside another is what a model cannot send: 0 if it is not. `inside` says whether those inside of it fit,
/// `reason` comes from the type, `seen` from how it is written.
pub const fn culprit(is_asked: bool, fits: bool, inside: &[bool], reason: u8, seen: u8) -> u8 {
    if !is_asked || fits || any!(inside, |fits| !*fits) {
        NO_CULPRIT
    } else if reason == OTHER {
        seen
    } else {
        reason
    }
}

/// The type that is asked in the place of another: `bool` if the reason has been found inside of it, a map if the keys
/// of a type are asked that has no description at all.
#[derive(Debug)]
pub struct Gate<const IS_FOUND: u8>;

/// What a [`Gate`] lets through.
pub trait Gated<T> {
    /// The type.
    type Type;
}

impl<T> Gated<T> for Gate<0> {
    type Type = T;
}

impl<T> Gated<T> for Gate<1> {
    type Type = bool;
}

impl<T> Gated<T> for Gate<2> {
    type Type = BTreeMap<String, bool>;
}

/// Why a type inside another is what a model cannot send.
#[derive(Debug)]
pub struct Because<const REASON: u8>;

/// The types that are asked in the place of this one, by what they are asked: it, where that is the reason, and else
/// `bool`.
pub trait Why<T> {
    /// The type that must be a [`WidePart`].
    type Wide;
    /// The type that must be a [`MapPart`].
    type Map;
    /// The type that must be an [`OwnPart`].
    type Own;
    /// The type that must be a `TuplePart`.
    type Tuple;
    /// The type that must be a `FeaturePart`.
    type Feature;
}

macro_rules! why {
    ($($reason:ident: $wide:ty, $map:ty, $own:ty, $tuple:ty, $feature:ty;)*) => {$(
        impl<T> Why<T> for Because<$reason> {
            type Wide = $wide;
            type Map = $map;
            type Own = $own;
            type Tuple = $tuple;
            type Feature = $feature;
        }
    )*};
}

why! {
    NO_CULPRIT: bool, bool, bool, bool, bool;
    WIDE: T, bool, bool, bool, bool;
    MAP: bool, T, bool, bool, bool;
    OTHER: bool, bool, T, bool, bool;
    TUPLE: bool, bool, bool, T, bool;
    FEATURE: bool, bool, bool, bool, T;
}

/// The bound of an integer of 128 bits.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be part of a tool's arguments",
    label = "integers in arguments have at most 64 bits",
    note = "take `u64` or `i64`, or a `String` of digits"
)]
pub trait WidePart {}

#[diagnostic::do_not_recommend]
impl<T: ToolInput> WidePart for T {}

/// Asks a type inside another, if this is the reason.
pub const fn check_wide<T: WidePart>() {}

/// The bound of a map.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be part of a tool's arguments",
    label = "the keys of a map are strings in JSON",
    note = "take `String` for the keys, or a `Vec` of a struct that has the key as a field"
)]
pub trait MapPart {}

#[diagnostic::do_not_recommend]
impl<T: ToolInput> MapPart for T {}

/// Asks a type inside another, if this is the reason.
pub const fn check_map<T: MapPart>() {}

/// The bound of a long tuple.
#[diagnostic::on_unimplemented(
    message = "a tuple of this length cannot be part of a tool's arguments",
    label = "a tuple in arguments has at most 16 parts",
    note = "take a struct that derives both `serde::Deserialize` and `toolwright::ToolInput`, whose fields have names"
)]
pub trait TuplePart {}

#[diagnostic::do_not_recommend]
impl<T: ToolInput> TuplePart for T {}

/// Asks a type inside another, if this is the reason.
pub const fn check_tuple<T: TuplePart>() {}

/// The bound of a type that needs a feature.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be part of a tool's arguments",
    label = "a model can send this type with a feature of `toolwright`",
    note = "types of `uuid`, `url`, `chrono`, `jiff`, `rust_decimal` and `bytes` need the feature of this name: write `features = [\"uuid\"]` or the like for `toolwright` in Cargo.toml"
)]
pub trait FeaturePart {}

#[diagnostic::do_not_recommend]
impl<T: ToolInput> FeaturePart for T {}

/// Asks a type inside another, if this is the reason.
pub const fn check_feature<T: FeaturePart>() {}

/// The bound of any other type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be part of a tool's arguments",
    label = "the schema of this type is not known",
    note = "derive both `serde::Deserialize` and `toolwright::ToolInput` for your own type, or mark the whole `#[tool(schemars)]` for a type of another crate"
)]
pub trait OwnPart {}

#[diagnostic::do_not_recommend]
impl<T: ToolInput> OwnPart for T {}

/// Asks a type inside another, if this is the reason.
pub const fn check_own<T: OwnPart>() {}
