//! The rules for constraints that can be seen in the tokens.

use crate::{
    errors::Errors,
    model::{Content, Field, Input, Rule, Shape, Tagging},
};

/// Reports constraints on types that are not known here, and those on the fields of an `untagged` enum.
pub(super) fn known_types(input: &Input, errors: &mut Errors) {
    match &input.shape {
        Shape::Same {
            ty, constraints, ..
        } if input.names_a_parameter(ty) => generic(constraints, errors),
        Shape::Object(object) => fields(&object.fields, input, errors),
        Shape::Union { tagging, variants } => {
            for variant in variants {
                if let Content::Object(object) = &variant.content {
                    if let Tagging::Untagged = tagging {
                        without_tag(&object.fields, errors);
                    }
                    fields(&object.fields, input, errors);
                }
            }
        }
        _ => {}
    }
}

fn fields(fields: &[Field], input: &Input, errors: &mut Errors) {
    let generics = fields
        .iter()
        .filter(|field| input.names_a_parameter(&field.ty));
    for field in generics {
        generic(&field.constraints, errors);
    }
}

fn generic(constraints: &crate::model::Constraints, errors: &mut Errors) {
    for constraint in &constraints.all {
        let key = &constraint.key;
        let message = format!(
            "the type of this field is chosen by who uses the struct, so that nothing says whether \
             `{key}` fits: write a newtype around a known type, and put it there"
        );
        errors.at(key, message);
    }
}

/// Reports constraints that cannot decide between variants without a tag. serde would choose the variant by the type
/// of a value, and the schema by its constraints.
fn without_tag(fields: &[Field], errors: &mut Errors) {
    for constraint in fields.iter().flat_map(|field| &field.constraints.all) {
        if !matches!(constraint.rule, Rule::Example(_)) {
            let key = &constraint.key;
            let message = format!(
                "an `untagged` enum takes the first variant whose type fits, whether it keeps \
                 `{key}` or not: remove `untagged`, or `{key}`"
            );
            errors.at(key, message);
        }
    }
}
