//! Mapping of the arguments that a provider sends to those of the tool.

mod ambiguity;
mod apply;
mod form;
mod index;
mod matching;
mod plan;
mod written;

use std::{borrow::Cow, collections::HashMap, fmt, sync::Arc};

use toolwright_json::spans::Nodes;

use apply::{Direction, Walk};
use form::Forms;
pub(super) use form::{FormId, canonical};
use index::Index;
pub(super) use plan::Plan;

/// A mapping between the arguments in the form of a provider and those of the tool. It is made while the
/// schema of the tool is written.
///
/// It is cheap to clone. For a schema that was sent unchanged it does nothing.
#[derive(Clone, Default)]
pub struct ArgumentMapping(Option<Arc<Inner>>);

struct Inner {
    steps: Vec<Step>,
    start: StepId,
    /// The forms of what is sent, by which the variants of a union are told apart.
    sent: Forms,
    /// The forms of the tool's own schema, by which they are told apart on the way to the provider.
    own: Forms,
    /// The form of the tool's arguments.
    root: FormId,
    /// The variants of wide unions, as they are sent and in the tool, by the step of the union.
    wide: HashMap<StepId, [Option<Index>; 2]>,
}

/// The error of arguments with more parts than are compared with the variants of their schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the arguments have too many parts to find the variants that they are of, so that they stay in the form \
     of the provider: send fewer of them at once"
)]
#[non_exhaustive]
pub struct TooManyParts;

/// The position of a step in its plan.
pub(super) type StepId = usize;

/// The step that changes nothing. It is the first of every plan.
pub(super) const KEEP: StepId = 0;

/// The change of one place in the arguments.
#[derive(Debug)]
pub(super) enum Step {
    /// Nothing.
    Keep,
    /// The step of another place: the start of a recursion.
    Same(StepId),
    /// An object.
    Object(Members),
    /// A list: the steps of its first places, and of the items behind them.
    List(Vec<StepId>, StepId),
    /// An object of any keys that came as pairs.
    Pairs(StepId),
    /// A list that came as an object.
    Tuple(Vec<StepId>),
    /// Any value that came as JSON in a text.
    Text,
    /// Values that came as other texts.
    Texts(Vec<(String, String)>),
    /// A value that came in an object of this key alone.
    Wrapped(String, StepId),
    /// Arguments that came in an object with exactly one key.
    Root {
        inner: StepId,
        /// The form in which they are sent, if it is not their own.
        sent: Option<FormId>,
    },
    /// One of several.
    Union(Vec<Variant>),
}

impl Step {
    /// Returns true if it changes something, or if one of the steps that it is made of does.
    fn changes(&self, of: impl Fn(StepId) -> bool) -> bool {
        match self {
            Step::Keep => false,
            Step::Same(inner) => of(*inner),
            Step::List(places, others) => of(*others) || places.iter().any(|&place| of(place)),
            Step::Union(variants) => variants.iter().any(|variant| of(variant.step)),
            Step::Object(object) => {
                let mut members = object.declared.values();
                object.rest.is_some()
                    || of(object.others)
                    || members.any(|member| member.is_null_when_absent || of(member.step))
            }
            Step::Texts(texts) => !texts.is_empty(),
            Step::Pairs(_)
            | Step::Tuple(_)
            | Step::Text
            | Step::Wrapped(..)
            | Step::Root { .. } => true,
        }
    }
}

/// One of several forms of a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Variant {
    step: StepId,
    /// Its form as it is sent.
    sent: FormId,
    /// Its form in the tool.
    own: FormId,
}

/// The changes of the members of an object.
#[derive(Debug, Default)]
pub(super) struct Members {
    /// Those that are declared; where others have steps of their own, all of them.
    pub(super) declared: HashMap<String, Member>,
    /// Those that come as null when they are left out, in order.
    pub(super) nulls: Vec<String>,
    /// The member that holds those of other keys, as pairs; and what is done to each value.
    pub(super) rest: Option<(String, StepId)>,
    /// The step for members of other keys.
    pub(super) others: StepId,
}

impl Members {
    /// Leaves out what need not be known to do nothing to it.
    pub(super) fn needed(mut self) -> Self {
        if self.rest.is_none() && self.others == KEEP {
            self.declared
                .retain(|_, member| member.is_null_when_absent || member.step != KEEP);
        }
        self
    }
}

/// The change of a member.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub(super) step: StepId,
    /// True if null means that the member is left out.
    pub(super) is_null_when_absent: bool,
}

/// The key of the only member of an object that stands for a value that is none.
pub(super) const WRAPPER: &str = "value";

impl ArgumentMapping {
    /// Turns the arguments of a provider into those of the tool. Numbers keep every digit, and unchanged
    /// parts are copied as they were written.
    ///
    /// A part that does not have the expected form is not changed, so that decoding reports its mistake;
    /// nor is a string that is not JSON. Pairs in which a key occurs twice become an object with a
    /// duplicate key, which decoding refuses. A value belongs to the variant of a union whose sent form it
    /// has. Arguments with [too many parts](TooManyParts) are not changed.
    pub fn to_tool<'t>(&self, arguments: &'t str) -> Cow<'t, str> {
        self.try_to_tool(arguments)
            .unwrap_or(Cow::Borrowed(arguments))
    }

    /// Works as [`to_tool`](Self::to_tool), but returns an error if there are too many parts.
    ///
    /// # Errors
    ///
    /// Returns an error if the parts of the arguments would be compared with more than a million schemas,
    /// plus 16 for each part. The schemas that count are those of a union whose variants nothing
    /// distinguishes from outside, such as a tag or the name of a member.
    pub fn try_to_tool<'t>(&self, arguments: &'t str) -> Result<Cow<'t, str>, TooManyParts> {
        self.walk(Direction::Back, arguments)
    }

    /// Turns the arguments of the tool into the form of the provider. It is for the arguments of an earlier
    /// call that are sent to a model that knows only that form. [`to_tool`](Self::to_tool) turns the result
    /// back into the same arguments.
    ///
    /// A part that the tool's own schema does not have is not changed; nor is a string that is not JSON,
    /// and a member of an open object that could not come back. Members that the arguments leave out are
    /// written after the others. A null that means the same as leaving the member out
    /// ([`LossKind::NullAsAbsent`](crate::profile::LossKind::NullAsAbsent)) stays null.
    pub fn to_provider<'t>(&self, arguments: &'t str) -> Cow<'t, str> {
        self.walk(Direction::Again, arguments)
            .unwrap_or(Cow::Borrowed(arguments))
    }

    fn walk<'t>(&self, way: Direction, arguments: &'t str) -> Result<Cow<'t, str>, TooManyParts> {
        let Some(inner) = &self.0 else {
            return Ok(Cow::Borrowed(arguments));
        };
        let Some(nodes) = Nodes::read(arguments) else {
            return Ok(Cow::Borrowed(arguments));
        };
        let mut walk = Walk::new(way, inner, &nodes);
        let mut text = String::with_capacity(arguments.len());
        walk.write(inner.start, 0, &mut text, 0);
        if walk.is_over() {
            return Err(TooManyParts);
        }
        if text == arguments {
            return Ok(Cow::Borrowed(arguments));
        }
        Ok(Cow::Owned(text))
    }

    /// Returns true if it changes no arguments.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

impl fmt::Debug for ArgumentMapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_tuple("ArgumentMapping");
        match &self.0 {
            Some(inner) => debug.field(&inner.steps).finish(),
            None => debug.finish(),
        }
    }
}
