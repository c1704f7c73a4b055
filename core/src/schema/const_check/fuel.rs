//! Fuel: a limit on how deep the description of a type goes.
//!
//! A type that contains itself would have an endless description, and the compiler would say so in
//! its own words. Fuel makes it end: each type that is entered burns one unit, and what is out of
//! fuel is [`Exhausted`], which the checks report with the path. It is apart from the depth limit,
//! because wrappers burn fuel without adding a level.

use std::marker::PhantomData;

use crate::schema::{Describe, Node, Part, TypeFacts};

#[cfg(feature = "schemars")]
use crate::schema::{ForeignInput, Schemars};

/// The number of types that may still be entered.
pub trait Fuel {
    /// The description of a type that is entered with this much fuel.
    type Step<T: Part>: Describe;
    /// The description of a type of another crate, which ends by itself.
    #[cfg(feature = "schemars")]
    type Foreign<T: ForeignInput, const DEPTH: u16>: Describe;
}

/// One unit more than `F`.
#[derive(Debug)]
pub struct Full<F>(PhantomData<F>);

/// No fuel, and what is found there.
#[derive(Debug)]
pub struct Exhausted;

impl<F: Fuel> Fuel for Full<F> {
    type Step<T: Part> = T::Body<F>;
    #[cfg(feature = "schemars")]
    type Foreign<T: ForeignInput, const DEPTH: u16> = Schemars<T, DEPTH>;
}

impl Fuel for Exhausted {
    type Step<T: Part> = Self;
    #[cfg(feature = "schemars")]
    type Foreign<T: ForeignInput, const DEPTH: u16> = Schemars<T, DEPTH>;
}

impl Describe for Exhausted {
    const FACTS: TypeFacts = TypeFacts::EXHAUSTED;

    fn node() -> &'static Node {
        unreachable!("a type that exhausts the fuel is refused when it is compiled")
    }
}

type Full4<F> = Full<Full<Full<Full<F>>>>;
type Full16<F> = Full4<Full4<Full4<Full4<F>>>>;

/// The fuel of a parameter at its start: 32 units.
pub type Start = Full16<Full16<Exhausted>>;
