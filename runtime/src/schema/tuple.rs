//! The descriptions of tuples.

use std::marker::PhantomData;

use super::{Describe, Facts, Fuel, Kind, Node, Path, Place, ToolInput};

/// A list of one value for each of the descriptions in `B`, a tuple of them.
#[derive(Debug)]
pub struct Tuple<B>(PhantomData<B>);

macro_rules! tuples {
    ($($part:ident),+) => {
        impl<$($part: Describe),+> Describe for Tuple<($($part,)+)> {
            const FACTS: Facts = Facts::tuple(&[$($part::FACTS),+]);
            const PATH: Option<&'static Path> = item(&[$($part::FACTS),+], &[$($part::PATH),+]).as_ref();

            fn node() -> &'static Node {
                const { &Node::new(Kind::Tuple(&[$($part::node),+])).knowing(Self::FACTS) }
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($part: ToolInput),+> ToolInput for ($($part,)+) {
            type Body<Fu: Fuel> = Tuple<($(Fu::Step<$part>,)+)>;
        }
    };
}

const fn item(facts: &[Facts], paths: &[Option<&'static Path>]) -> Option<Path> {
    let worst = Facts::worst(facts);
    if !facts[worst].has_inside() {
        return None;
    }
    Some(Path {
        place: Place::Item,
        owner: "",
        next: paths[worst],
    })
}

tuples!(A);
tuples!(A, B);
tuples!(A, B, C);
tuples!(A, B, C, D);
tuples!(A, B, C, D, E);
tuples!(A, B, C, D, E, F);
tuples!(A, B, C, D, E, F, G);
tuples!(A, B, C, D, E, F, G, H);
tuples!(A, B, C, D, E, F, G, H, I);
tuples!(A, B, C, D, E, F, G, H, I, J);
tuples!(A, B, C, D, E, F, G, H, I, J, K);
tuples!(A, B, C, D, E, F, G, H, I, J, K, L);
