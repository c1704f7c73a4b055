//! The descriptions of tuples.

use std::marker::PhantomData;

use super::{Describe, Ends, Fuel, Kind, Node, Place, Steps, ToolInput, TypeFacts};

/// A list of one value for each of the descriptions in `B`, a tuple of them.
#[derive(Debug)]
pub struct Tuple<B>(PhantomData<B>);

macro_rules! tuples {
    () => {};
    ($first:ident $(, $rest:ident)*) => {
        tuple!($first $(, $rest)*);
        tuples!($($rest),*);
    };
}

macro_rules! tuple {
    ($($part:ident),+) => {
        impl<$($part: Describe),+> Describe for Tuple<($($part,)+)> {
            const FACTS: TypeFacts = TypeFacts::tuple(&[$($part::FACTS),+]);
            const STEPS: Steps = Steps::of(
                "",
                &[$($part::FACTS),+],
                &[Place::Item; 16],
                &[$($part::PATHS),+],
            );

            fn node() -> &'static Node {
                const { &Node::new(Kind::Tuple(&[$($part::node),+])).knowing(Self::FACTS) }
            }
        }

        impl<$($part: Ends),+> Ends for Tuple<($($part,)+)> {}

        #[diagnostic::do_not_recommend]
        impl<$($part: ToolInput),+> ToolInput for ($($part,)+) {
            type Body<Fu: Fuel> = Tuple<($(Fu::Step<$part>,)+)>;
        }
    };
}

tuples!(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P);
