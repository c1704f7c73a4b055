//! Every rule that can be seen in the tokens. What only constants and the type system can see is
//! checked by the code that `expand` writes.

mod block;
mod borrowing;
mod constraint;
mod description;
mod input;
mod metadata;
mod name;
mod policy;
mod signature;
mod size;
mod strict;

pub(crate) use borrowing::{may_be_borrowed, reference_in};
pub(crate) use name::hidden_primitive;
pub(crate) use signature::is_member;
pub(crate) use size::has_no_size;

use crate::{
    errors::Errors,
    model::{Block, Callable, Derived, Input, Text, Tool},
    visible,
};

/// The limits of a description, in characters.
const DESCRIPTION: std::ops::RangeInclusive<usize> = 10..=500;

/// Applies the rules for a function. False if it cannot be called as a tool.
pub(crate) fn function(function: &Callable, errors: &mut Errors) -> bool {
    let is_callable = callable(function, errors);
    is_callable && errors.none_by(|errors| signature::not_a_member(&function.signature, errors))
}

/// Applies the rules for an `impl` block. False if one of its methods cannot be called as a tool.
pub(crate) fn block(block: &Block, errors: &mut Errors) -> bool {
    let mut are_callable =
        !block.methods.is_empty() && errors.none_by(|errors| block::owned_state(block, errors));
    for method in &block.methods {
        are_callable &= callable(method, errors);
        are_callable &= errors.none_by(|errors| {
            block::shared_receiver(&method.signature, errors);
            block::one_type_for_all(method, block, errors);
        });
    }
    are_callable
}

/// Applies the rules for a struct that is a tool. False if it cannot be described.
pub(crate) fn derived(derived: &Derived, errors: &mut Errors) -> bool {
    tool(&derived.tool, errors);
    policy::executed(derived, errors);
    strict::fields(derived, errors);
    named(&derived.input, errors);
    // A tool is decoded from whatever a call holds.
    let is_described = errors.none_by(|errors| {
        if derived.input.generics.lifetimes().next().is_none() {
            input::borrows_by_cow(&derived.input, errors);
        }
        size::fields(&derived.input, errors);
        input::owned(&derived.input, errors);
        input::one_type(&derived.input, errors);
        input::object_at_the_root(&derived.input, errors);
    });
    is_described && derived.input.is_sound
}

/// False if it cannot be called as a tool: what is wrong with more than its signature is no reason.
fn callable(callable: &Callable, errors: &mut Errors) -> bool {
    tool(&callable.tool, errors);
    signature::undocumented_context(&callable.parameters, errors);
    description::of_parameters(&callable.parameters, errors);
    policy::placed(callable, errors);
    strict::parameters(callable, errors);
    let is_callable = errors.none_by(|errors| {
        name::hides_nothing(callable, errors);
        signature::plain_function(&callable.signature, errors);
        signature::not_generic(&callable.signature, errors);
        signature::named_parameters(&callable.signature, errors);
        signature::names_differ(&callable.parameters, errors);
        signature::named_types(&callable.parameters, errors);
        size::passed(callable, errors);
        borrowing::not_changed(&callable.parameters, errors);
        borrowing::not_static(&callable.parameters, errors);
        borrowing::not_bound_to_static(&callable.signature, errors);
        signature::few_arguments(&callable.parameters, errors);
        signature::shared_context(&callable.parameters, errors);
    });
    let mut parameters = callable.parameters.iter();
    is_callable && parameters.all(|parameter| !parameter.is_doubtful)
}

fn tool(tool: &Tool, errors: &mut Errors) {
    name::well_formed(&tool.name, errors);
    description_length(tool, errors);
    metadata::titled(tool, errors);
    metadata::consistent(&tool.hints, errors);
    policy::repeatable(tool, errors);
}

/// Applies the rules for a type inside arguments. False if it cannot be described: what is wrong with its
/// fields is no reason.
pub(crate) fn input(input: &Input, errors: &mut Errors) -> bool {
    input::borrows_by_cow(input, errors);
    named(input, errors);
    size::fields(input, errors);
    errors.none_by(|errors| input::something_to_choose(input, errors)) && input.is_sound
}

fn named(input: &Input, errors: &mut Errors) {
    input::names_say_something(input, errors);
    input::names_differ(input, errors);
    description::inside(input, errors);
    constraint::known_types(input, errors);
}

fn description_length(tool: &Tool, errors: &mut Errors) {
    let purpose = "tell the model what the tool does and when to call it";
    match &tool.description {
        Text::Missing => errors.at_span(
            tool.ident.span(),
            format!("a tool needs a description: {purpose}, in a `///` comment above it"),
        ),
        Text::Known { text, from } => {
            let (chars, seen) = (text.chars().count(), visible::count(text));
            let s = if seen == 1 { "" } else { "s" };
            if seen < *DESCRIPTION.start() {
                let that = if seen < chars {
                    " that can be seen"
                } else {
                    ""
                };
                let message = format!(
                    "the description has {seen} character{s}{that}, at least {} are needed: {purpose}",
                    DESCRIPTION.start()
                );
                errors.at(from, message);
            } else if chars > *DESCRIPTION.end() {
                let message = format!(
                    "the description has {chars} characters, at most {} are allowed: keep what \
                     the model needs to choose the tool, and put the rest below a heading",
                    DESCRIPTION.end()
                );
                errors.at(from, message);
            }
        }
        Text::Refused | Text::Documentation(_) | Text::Expression(_) => {}
    }
}
