//! The descriptions of types that hold others: `Option`, `Box`, lists and maps.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque},
    marker::PhantomData,
};

use super::{
    Describe, Ends, FlattenInput, Form, Fuel, Keys, Kind, Node, Paths, Place, Steps, ToolInput,
    TypeFacts, untagged::Entries,
};

/// The value that `B` describes, or none.
#[derive(Debug)]
pub struct Optional<B>(PhantomData<B>);

/// A list of what `B` describes.
#[derive(Debug)]
pub struct List<B>(PhantomData<B>);

/// A list of different values that `B` describes.
#[derive(Debug)]
pub struct Set<B>(PhantomData<B>);

/// A list of `N` values that `B` describes.
#[derive(Debug)]
pub struct Array<B, const N: usize>(PhantomData<B>);

/// An object whose values `B` describes.
#[derive(Debug)]
pub struct Map<B>(PhantomData<B>);

impl<B: Ends> Ends for Optional<B> {}
impl<B: Ends> Ends for List<B> {}
impl<B: Ends> Ends for Set<B> {}
impl<B: Ends, const N: usize> Ends for Array<B, N> {}
impl<B: Ends> Ends for Map<B> {}

impl<B: Describe> Describe for Optional<B> {
    const FACTS: TypeFacts = B::FACTS.or_null();
    const PATHS: Paths = B::PATHS;
    const ENTRIES: Option<Entries> = B::ENTRIES;
    const MAY_BE_LEFT_OUT: bool = true;

    fn node() -> &'static Node {
        const { &Node::new(Kind::Optional(B::node)).knowing(Self::FACTS) }
    }
}

impl<B: Describe> Describe for List<B> {
    const FACTS: TypeFacts = TypeFacts::list(B::FACTS);
    const STEPS: Steps = Steps::of("", &[B::FACTS], &[Place::Item], &[B::PATHS]);

    fn node() -> &'static Node {
        const { &Node::new(Kind::List(B::node)).knowing(Self::FACTS) }
    }
}

impl<B: Describe> Describe for Set<B> {
    const FACTS: TypeFacts = TypeFacts::list(B::FACTS).with_form(Form::Set);
    const STEPS: Steps = Steps::of("", &[B::FACTS], &[Place::Item], &[B::PATHS]);

    fn node() -> &'static Node {
        const { &Node::new(Kind::Set(B::node)).knowing(Self::FACTS) }
    }
}

impl<B: Describe, const N: usize> Describe for Array<B, N> {
    const FACTS: TypeFacts = TypeFacts::list(B::FACTS).with_form(Form::Array(N));
    const STEPS: Steps = Steps::of("", &[B::FACTS], &[Place::Item], &[B::PATHS]);

    fn node() -> &'static Node {
        const {
            &Node::new(Kind::Array {
                item: B::node,
                length: N,
            })
            .knowing(Self::FACTS)
        }
    }
}

impl<B: Describe> Describe for Map<B> {
    const FACTS: TypeFacts = TypeFacts::map(B::FACTS);
    const STEPS: Steps = Steps::of("", &[B::FACTS], &[Place::Value], &[B::PATHS]);
    const KEYS: Keys = Keys::REST;

    fn node() -> &'static Node {
        const { &Node::new(Kind::Map(B::node)).knowing(Self::FACTS) }
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToolInput> ToolInput for Option<T> {
    type Body<F: Fuel> = Optional<T::Body<F>>;
}

#[diagnostic::do_not_recommend]
impl<T: ToolInput> ToolInput for Box<T> {
    type Body<F: Fuel> = T::Body<F>;
}

#[diagnostic::do_not_recommend]
impl<T: ToolInput, const N: usize> ToolInput for [T; N] {
    type Body<F: Fuel> = Array<F::Step<T>, N>;
}

macro_rules! lists {
    ($($list:ident: $($ty:ty),*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl<T: ToolInput> ToolInput for $ty {
            type Body<F: Fuel> = $list<F::Step<T>>;
        }
    )*)*};
}

lists! {
    List: Vec<T>, Box<[T]>, VecDeque<T>;
    Set: BTreeSet<T>;
}

#[diagnostic::do_not_recommend]
impl<T: ToolInput, S> ToolInput for HashSet<T, S> {
    type Body<F: Fuel> = Set<F::Step<T>>;
}

#[diagnostic::do_not_recommend]
impl<T: ToolInput, S> ToolInput for HashMap<String, T, S> {
    type Body<F: Fuel> = Map<F::Step<T>>;
}

#[diagnostic::do_not_recommend]
impl<T: ToolInput> ToolInput for BTreeMap<String, T> {
    type Body<F: Fuel> = Map<F::Step<T>>;
}

#[diagnostic::do_not_recommend]
impl<T, S> FlattenInput for HashMap<String, T, S> {}

#[diagnostic::do_not_recommend]
impl<T> FlattenInput for BTreeMap<String, T> {}

#[diagnostic::do_not_recommend]
impl<T: FlattenInput> FlattenInput for Box<T> {}
