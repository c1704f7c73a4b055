//! The rules of `strict` that can be seen in the tokens: how parameters are called.

use proc_macro2::Span;

use crate::{
    errors::Errors,
    model::{Callable, Derived, Profile, Shape, Source, Strict},
};

/// The maximum number of characters of a name.
const MAX_CHARS: usize = 64;

/// The parameters of a function are called what providers take.
pub(super) fn parameters(callable: &Callable, errors: &mut Errors) {
    for parameter in &callable.parameters {
        if let Source::Argument { .. } = parameter.source {
            let span = parameter.ident.span();
            name(
                callable.tool.asked.strict.as_ref(),
                &parameter.name(),
                span,
                errors,
            );
        }
    }
}

/// The fields of a struct are called what providers take.
pub(super) fn fields(derived: &Derived, errors: &mut Errors) {
    if let Shape::Object(object) = &derived.input.shape {
        for field in object.fields.iter().filter(|field| !field.is_flattened) {
            name(
                derived.tool.asked.strict.as_ref(),
                &field.name,
                field.span,
                errors,
            );
        }
    }
}

fn name(strict: Option<&Strict>, name: &str, span: Span, errors: &mut Errors) {
    let Some(Strict { profile, .. }) = strict else {
        return;
    };
    let more = match profile {
        Profile::OpenAi => return,
        Profile::Anthropic => "_.-",
        Profile::Portable => "_",
    };
    let taken = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || more.contains(char::from(byte)));
    let begins_well =
        *profile == Profile::Anthropic || !name.starts_with(|c: char| c.is_ascii_digit());
    if taken && begins_well && (1..=MAX_CHARS).contains(&name.len()) {
        return;
    }
    let allowed = match profile {
        Profile::Portable => "letters of ASCII, digits and `_`, with no digit at the start",
        _ => "letters of ASCII, digits, `_`, `.` and `-`",
    };
    let message = format!(
        "`strict = \"{}\"` takes names of 1 to {MAX_CHARS} {allowed}: rename `{name}`, or remove `strict`",
        profile.name()
    );
    errors.at_span(span, message);
}
