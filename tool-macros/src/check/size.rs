//! The rules for what visibly has no size of its own, which cannot be passed. The compiler would say so too, of the
//! function and of all the generated code. What a name stands for is known to the compiler only.

use syn::{ReturnType, Type};

use super::signature::written;
use crate::{
    errors::Errors,
    model::{Callable, Input, Parameter, Source},
};

/// Reports parameters whose type has no size.
pub(super) fn passed(callable: &Callable, errors: &mut Errors) {
    for Parameter { ty, source, .. } in &callable.parameters {
        let Some(part) = without_size(ty) else {
            continue;
        };
        let is_whole = std::ptr::eq(part, plain(ty));
        let (part_written, owned) = (written(part), owned(part));
        let message = match (source, owned) {
            (Source::Argument { .. }, Some(owned)) if is_whole => {
                format!(
                    "`{part_written}` has no size of its own: take `{owned}`, or borrow `&{part_written}`"
                )
            }
            (Source::Argument { .. }, Some(owned)) => {
                format!("`{part_written}` has no size of its own: take `{owned}`")
            }
            (Source::Argument { .. }, None) => {
                format!(
                    "`{part_written}` has no size of its own, and a model cannot send it: take a type that derives `ToolInput`"
                )
            }
            (Source::Context, _) => format!(
                "`{part_written}` has no size of its own: take `Extension<Arc<{part_written}>>`, and put an \
                 `Arc<{part_written}>` into the context"
            ),
        };
        errors.at(part, message);
    }
    if let ReturnType::Type(_, ty) = callable.output()
        && let Some(part) = without_size(ty)
    {
        let written = written(part);
        let owned = owned(part).unwrap_or_else(|| format!("Box<{written}>"));
        let message = format!("`{written}` has no size of its own: return `{owned}`");
        errors.at(part, message);
    }
}

/// So have the fields of a type.
pub(super) fn fields(input: &Input, errors: &mut Errors) {
    // A parameter may have the name of a type without a size.
    let is_parameter =
        |part: &&Type| matches!(part, Type::Path(_)) && input.names_a_parameter(part);
    for ty in input.shape.field_types() {
        if let Some(part) = without_size(ty).filter(|part| !is_parameter(part)) {
            let written = written(part);
            let message = match owned(part) {
                Some(owned) => format!("`{written}` has no size of its own: take `{owned}`"),
                None => format!(
                    "`{written}` has no size of its own, and a model cannot send it: take a type that derives `ToolInput`"
                ),
            };
            errors.at(part, message);
        }
    }
}

/// Returns true if a type visibly has no size, or contains one without a size in a place that needs a size.
pub(crate) fn has_no_size(ty: &Type) -> bool {
    without_size(ty).is_some()
}

/// The part of a type that has no size where it needs one.
fn without_size(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Slice(_) | Type::TraitObject(_) => Some(ty),
        Type::Group(group) => without_size(&group.elem),
        Type::Paren(paren) => without_size(&paren.elem),
        Type::Array(array) => without_size(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(without_size),
        Type::Reference(reference) => behind(&reference.elem),
        Type::Path(path) => path.path.is_ident("str").then_some(ty),
        _ => None,
    }
}

/// The same of a type that may have no size itself.
fn behind(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Slice(slice) => without_size(&slice.elem),
        Type::Group(group) => behind(&group.elem),
        Type::Paren(paren) => behind(&paren.elem),
        Type::TraitObject(_) | Type::Path(_) => None,
        _ => without_size(ty),
    }
}

fn plain(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => plain(&group.elem),
        Type::Paren(paren) => plain(&paren.elem),
        _ => ty,
    }
}

/// Returns the owned type to take instead.
pub(super) fn owned(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) if path.path.is_ident("str") => Some("String".to_owned()),
        Type::Slice(slice) => {
            let item = owned(&slice.elem).unwrap_or_else(|| written(&slice.elem));
            Some(format!("Vec<{item}>"))
        }
        _ => None,
    }
}
