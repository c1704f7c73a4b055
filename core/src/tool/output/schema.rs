//! The schema of what a tool returns, found by the type.
//!
//! [`OutputOf`] has a constant of its own for `Json` and a `Result` of it; every other type has the
//! trait's. So that a type that cannot be returned is reported where it is returned, and not here.

use std::marker::PhantomData;

use super::{Json, json::JsonOutput};
use crate::{
    schema::{
        Describe, Kind, Link, Paths, Schema, Start, ToolInput, TypeFacts, const_check::check,
    },
    tool::Execute,
};

/// The facts that are known about an output.
#[derive(Debug, Clone, Copy)]
pub struct Described {
    facts: TypeFacts,
    paths: Paths,
    node: Link,
}

/// The type that a function returns.
#[derive(Debug)]
pub struct OutputOf<T>(PhantomData<fn() -> T>);

impl<T: JsonOutput> OutputOf<Json<T>> {
    /// The description of the value.
    pub const DESCRIBED: Option<Described> = Some(Described::of::<T>());
}

impl<T: JsonOutput, E> OutputOf<Result<Json<T>, E>> {
    /// The description of the value.
    pub const DESCRIBED: Option<Described> = Some(Described::of::<T>());
}

/// A struct that derives `Tool`: what it returns is in its `Execute`.
#[derive(Debug)]
pub struct OutputOfStruct<X>(PhantomData<fn() -> X>);

impl<X: Execute<Output = Json<T>>, T: JsonOutput> OutputOfStruct<X> {
    /// The description of the value.
    pub const DESCRIBED: Option<Described> = Some(Described::of::<T>());
}

/// Found for every type that says nothing of its schema.
pub trait NoSchema {
    /// Nothing.
    const DESCRIBED: Option<Described> = None;
}

impl<T> NoSchema for OutputOf<T> {}
impl<X> NoSchema for OutputOfStruct<X> {}

/// A compile-time test for a struct that derives `Tool` and returns a `Result` inside its `Result`.
#[derive(Debug)]
pub struct ResultOfStruct<X>(PhantomData<fn() -> X>);

impl<X: Execute<Output = Result<T, E>>, T, E> ResultOfStruct<X> {
    /// True for such a struct.
    pub const IS_RESULT: bool = true;
}

/// Found for every other type.
pub trait NoResult {
    /// False for any other type.
    const IS_RESULT: bool = false;
}

impl<X> NoResult for ResultOfStruct<X> {}

/// Checks what a struct returns.
///
/// # Panics
///
/// When it is a `Result`: `execute` returns one around it, and its error would be a success.
#[track_caller]
pub const fn check_no_result(is_result: bool) {
    assert!(
        !is_result,
        "`execute` returns a `Result` already: write its success alone as `type Output`"
    );
}

impl Described {
    const fn of<T: ToolInput>() -> Self {
        Self {
            facts: <T::Body<Start> as Describe>::FACTS,
            paths: <T::Body<Start> as Describe>::PATHS,
            node: <T::Body<Start> as Describe>::node,
        }
    }
}

/// Checks a returned type that is described.
///
/// # Panics
///
/// When it contains itself, or serde writes it otherwise than it reads it; this fails the
/// compilation.
#[track_caller]
pub const fn check_output(described: Option<Described>) {
    if let Some(Described { facts, paths, .. }) = described {
        check::check_output(facts, paths.deepest);
    }
}

/// The tree of a returned type that is described.
pub const fn link(described: Option<Described>) -> Option<Link> {
    match described {
        None => None,
        Some(Described { node, .. }) => Some(node),
    }
}

/// The schema, if the value is an object: what other programs take has to be one.
pub(crate) fn object_schema(output: Link) -> Option<Schema> {
    let node = output();
    match node.kind {
        Kind::Object { .. } | Kind::Map(_) => Some(node.to_schema()),
        Kind::Same { node, .. } => object_schema(node),
        _ => None,
    }
}
