//! The rules for what has no size of its own, which cannot be passed. The compiler would say so too, of the
//! function and of all the generated code.

use syn::{
    AngleBracketedGenericArguments, GenericArgument, PathArguments, PathSegment, ReturnType, Type,
    TypePath,
};

use super::signature::written;
use crate::{
    errors::Errors,
    model::{self, Callable, Input, Parameter, Source},
    surroundings,
};

/// The types of std whose parameters have a size.
const CONTAINERS: [&str; 11] = [
    "Vec",
    "VecDeque",
    "LinkedList",
    "BinaryHeap",
    "Option",
    "Result",
    "HashMap",
    "BTreeMap",
    "HashSet",
    "BTreeSet",
    "Extension",
];

/// The named types of std that have none, and what to take instead.
const NAMED: [(&[&str], &str); 5] = [
    (&["std", "path", "Path"], "PathBuf"),
    (&["std", "ffi", "OsStr"], "String"),
    (&["std", "ffi", "os_str", "OsStr"], "String"),
    (&["std", "ffi", "CStr"], "String"),
    (&["core", "ffi", "CStr"], "String"),
];

/// Reports parameters whose type has no size.
pub(super) fn passed(callable: &Callable, errors: &mut Errors) {
    for Parameter { ty, source, .. } in &callable.parameters {
        let Some(part) = without_size(ty) else {
            continue;
        };
        let is_whole = std::ptr::eq(part, plain(ty));
        let (part_written, owned) = (written(part), owned(part));
        let message = match (source, owned) {
            (Source::Argument { .. }, Some(owned)) if is_whole && is_borrowed(part) => {
                format!(
                    "`{part_written}` has no size of its own: take `{owned}`, or borrow `&{part_written}`"
                )
            }
            (Source::Argument { .. }, Some(owned)) => {
                format!("`{part_written}` has no size of its own: take `{owned}`")
            }
            (Source::Argument { .. }, None) => {
                format!("`{part_written}` has no size of its own, and a model cannot send it")
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
                None => format!("`{written}` has no size of its own, and a model cannot send it"),
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
        Type::Path(path) if is_named(path) => Some(ty),
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let PathArguments::AngleBracketed(generic) = &last.arguments else {
                return None;
            };
            let is_container =
                CONTAINERS.iter().any(|name| last.ident == name) && !is_alias(last, generic);
            generic.args.iter().find_map(|argument| {
                let GenericArgument::Type(ty) = argument else {
                    return None;
                };
                if !is_container {
                    return behind(ty);
                }
                let part = without_size(ty)?;
                // The file is asked last.
                let is_behind = !std::ptr::eq(part, plain(ty));
                (is_behind || !is_own(path)).then_some(part)
            })
        }
        _ => None,
    }
}

/// Returns true if this is not the `Result` of std, which names the error too. An alias may box the value.
fn is_alias(last: &PathSegment, arguments: &AngleBracketedGenericArguments) -> bool {
    last.ident == "Result" && arguments.args.len() < 2
}

/// Returns true if a type of this name is declared next to the item, or comes from this crate.
fn is_own(path: &TypePath) -> bool {
    let mut names = path.path.segments.iter();
    let (Some(only), None) = (names.next(), names.next()) else {
        return false;
    };
    let name = model::plain(&only.ident);
    surroundings::siblings(&[&name]).is_some_and(|siblings| {
        let from = siblings.imported(&name);
        let is_near = |from: Vec<String>| matches!(&*from[0], "crate" | "self" | "super");
        siblings.type_beside(&name).is_some() || from.is_some_and(is_near)
    })
}

/// The same of a type that may have no size itself.
fn behind(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Slice(slice) => without_size(&slice.elem),
        Type::Group(group) => behind(&group.elem),
        Type::Paren(paren) => behind(&paren.elem),
        Type::TraitObject(_) => None,
        Type::Path(path) if is_named(path) => None,
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

fn is_named(path: &TypePath) -> bool {
    path.path.is_ident("str") || named(path).is_some()
}

/// Returns the owned form of a type of std. None if the path is not known to be that type: other types have such
/// names too.
fn named(path: &TypePath) -> Option<&'static str> {
    let names = path.path.segments.iter();
    let names: Vec<String> = names.map(|segment| segment.ident.to_string()).collect();
    let last = names.last()?;
    if path.qself.is_some()
        || !NAMED
            .iter()
            .any(|(known, _)| known.last() == Some(&last.as_str()))
    {
        return None;
    }
    let imported = surroundings::imported(&names[0]);
    let rest = names[1..].iter().cloned();
    let whole: Vec<String> = match imported {
        Some(imported) => imported.into_iter().chain(rest).collect(),
        None => names,
    };
    let found = NAMED.iter().find(|(known, _)| whole == *known);
    found.map(|(_, owned)| *owned)
}

/// Returns true if a parameter may be a reference to this type.
fn is_borrowed(ty: &Type) -> bool {
    owned(ty).is_some_and(|owned| {
        owned != "String" || matches!(ty, Type::Path(path) if path.path.is_ident("str"))
    })
}

/// Returns the owned type to take instead.
pub(super) fn owned(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) if path.path.is_ident("str") => Some("String".to_owned()),
        Type::Path(path) => named(path).map(str::to_owned),
        Type::Slice(slice) => {
            let item = owned(&slice.elem).unwrap_or_else(|| written(&slice.elem));
            Some(format!("Vec<{item}>"))
        }
        _ => None,
    }
}
