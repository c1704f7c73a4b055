//! Every rule that can be seen in the tokens. What only constants and the type system can see is
//! checked by the code that `expand` writes.

mod input;
mod name;
mod signature;

pub(crate) use name::is_primitive;

use crate::{
    errors::Errors,
    model::{Input, Text, Tool},
};

/// The limits of a description, in characters.
const DESCRIPTION: std::ops::RangeInclusive<usize> = 10..=500;

/// Applies the rules for a tool.
pub(crate) fn tool(tool: &Tool, errors: &mut Errors) {
    name::well_formed(&tool.name, errors);
    name::hides_nothing(&tool.type_ident, errors);
    description_length(tool, errors);
    signature::plain_function(&tool.signature, errors);
    signature::not_generic(&tool.signature, errors);
    signature::named_parameters(&tool.signature, errors);
    signature::names_differ(&tool.parameters, errors);
    signature::named_types(&tool.parameters, errors);
    signature::owned_arguments(&tool.parameters, errors);
    signature::few_arguments(&tool.parameters, errors);
    signature::shared_context(&tool.parameters, errors);
    signature::undocumented_context(&tool.parameters, errors);
}

/// Applies the rules for a type inside arguments.
pub(crate) fn input(input: &Input, errors: &mut Errors) {
    input::owned(input, errors);
    input::names_differ(input, errors);
    input::something_to_choose(input, errors);
}

fn description_length(tool: &Tool, errors: &mut Errors) {
    let purpose = "tell the model what the tool does and when to call it";
    match &tool.description {
        Text::Missing => errors.at_span(
            tool.signature.ident.span(),
            format!("a tool needs a description: {purpose}, in a `///` comment above it"),
        ),
        Text::Known { text, from } => {
            let chars = text.chars().count();
            let s = if chars == 1 { "" } else { "s" };
            if chars < *DESCRIPTION.start() {
                let message = format!(
                    "the description has {chars} character{s}, at least {} are needed: {purpose}",
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
        Text::Documentation(_) | Text::Expression(_) => {}
    }
}
