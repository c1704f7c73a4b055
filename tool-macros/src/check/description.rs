//! The rules for descriptions inside of the arguments, which need not be there.

use crate::{
    errors::Errors,
    model::{Content, Input, Object, Parameter, Shape, Source, Text},
    visible::has_visible,
};

/// A description of a parameter says something.
pub(super) fn of_parameters(parameters: &[Parameter], errors: &mut Errors) {
    for parameter in parameters {
        if matches!(parameter.source, Source::Argument { .. }) {
            says_something(&parameter.description, errors);
        }
    }
}

/// So does that of a type, and of what is in it.
pub(super) fn inside(input: &Input, errors: &mut Errors) {
    says_something(&input.description, errors);
    match &input.shape {
        Shape::Object(object) => fields(object, errors),
        Shape::Choice(variants) | Shape::Union { variants, .. } => {
            for variant in variants {
                says_something(&variant.description, errors);
                if let Content::Object(object) = &variant.content {
                    fields(object, errors);
                }
            }
        }
        Shape::Null | Shape::Same { .. } | Shape::Tuple(_) => {}
    }
}

fn fields(object: &Object, errors: &mut Errors) {
    for field in &object.fields {
        says_something(&field.description, errors);
    }
}

fn says_something(description: &Text, errors: &mut Errors) {
    if let Text::Known { text, from } = description
        && !has_visible(text)
    {
        let message = "nothing of this description can be seen: write what the model is to send, or \
                       remove it";
        errors.at(from, message);
    }
}
