//! Advice that suits a type which cannot be an argument, or comes from the context. The type system decides whether
//! the type can: the checks that are named here are the same for every type.

use quote::quote;
use syn::{Expr, ExprLit, GenericArgument, Lit, PathArguments, PathSegment, Type, TypePath};

/// The limits of serde for arrays, and of the runtime for tuples.
const MAX_ARRAY: usize = 32;
const MAX_TUPLE: usize = 16;

/// Names of types whose reason is known to the type system, which is asked for it.
const WIDE: [&str; 4] = ["u128", "i128", "NonZeroU128", "NonZeroI128"];
const MAPS: [&str; 2] = ["HashMap", "BTreeMap"];
const FEATURES: [&str; 6] = ["uuid", "url", "chrono", "jiff", "rust_decimal", "bytes"];
const OF_FEATURES: [&str; 12] = [
    "Uuid",
    "Url",
    "DateTime",
    "NaiveDate",
    "NaiveTime",
    "NaiveDateTime",
    "Timestamp",
    "Zoned",
    "Span",
    "SignedDuration",
    "Decimal",
    "Bytes",
];

/// The function that describes a parameter, by what it says of a type that does not fit.
pub(super) fn advising(ty: &Type) -> &'static str {
    if quote!(#ty).to_string().contains('&') {
        "borrowing_parameter"
    } else if has_long_array(ty) {
        "array_parameter"
    } else {
        "parameter"
    }
}

fn has_long_array(ty: &Type) -> bool {
    let is_long = matches!(ty, Type::Array(array) if length(&array.len) > Some(MAX_ARRAY));
    is_long || parts(ty).into_iter().any(has_long_array)
}

/// Types that std and the runtime know. None of them is the reason why a model cannot send a type.
const KNOWN: [&str; 30] = [
    "Vec", "VecDeque", "Option", "Box", "Cow", "HashMap", "BTreeMap", "HashSet", "BTreeSet",
    "String", "str", "bool", "char", "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64",
    "isize", "f32", "f64", "PathBuf", "Path", "Value", "Map", "Self",
];

/// Returns true if a type names one that is not known here.
pub(super) fn names_unknown(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => match path.path.segments.last() {
            Some(last) if KNOWN.iter().any(|known| last.ident == known) => {
                arguments(last).any(names_unknown)
            }
            _ => true,
        },
        Type::Reference(reference) => names_unknown(&reference.elem),
        Type::Slice(slice) => names_unknown(&slice.elem),
        Type::Array(array) => names_unknown(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().any(names_unknown),
        Type::Group(group) => names_unknown(&group.elem),
        Type::Paren(paren) => names_unknown(&paren.elem),
        _ => true,
    }
}

/// The first type inside another that may be what a model cannot send.
pub(super) fn inner(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Group(group) => inner(&group.elem),
        Type::Paren(paren) => inner(&paren.elem),
        Type::Array(array) => unknown(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(unknown),
        Type::Path(path) => arguments(path.path.segments.last()?).find_map(unknown),
        _ => None,
    }
}

fn unknown(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            if KNOWN.iter().any(|known| last.ident == known) {
                inner(ty)
            } else {
                Some(ty)
            }
        }
        _ => inner(ty),
    }
}

/// The function that takes a `#[context]` parameter, in the same way.
pub(super) fn context(ty: &Type) -> &'static str {
    match ty {
        Type::Reference(_) => "context_ref",
        Type::Group(group) => context(&group.elem),
        Type::Paren(paren) => context(&paren.elem),
        Type::Path(path) => {
            let last = path.path.segments.last();
            match last.map(|last| last.ident.to_string()).as_deref() {
                Some("Extension") => "extension",
                Some("ExtensionRef") => "extension_ref",
                Some("Option") => "context_option",
                _ => "context",
            }
        }
        _ => "context",
    }
}

/// The reason why a model may be unable to send a type inside another.
#[derive(Clone, Copy)]
pub(super) enum Reason {
    /// A tuple is too long.
    Tuple,
    /// A type of another crate needs a feature.
    Feature,
    /// The type system says which one.
    OfType,
}

/// The reason, by how it is written. None if the type is known to be sent.
pub(super) fn reason(ty: &Type) -> Option<Reason> {
    match ty {
        Type::Group(group) => reason(&group.elem),
        Type::Paren(paren) => reason(&paren.elem),
        Type::Tuple(tuple) => (tuple.elems.len() > MAX_TUPLE).then_some(Reason::Tuple),
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let is_known = KNOWN.iter().any(|known| last.ident == known) && !has_reason(last);
            if is_of_feature(path, last) {
                return Some(Reason::Feature);
            }
            (!is_known).then_some(Reason::OfType)
        }
        _ => None,
    }
}

/// Returns the reason as [`reason`] does, but `None` also for a type about which nothing is known.
pub(super) fn known_reason(ty: &Type) -> Option<Reason> {
    let is_known = match ty {
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            has_reason(last) || is_of_feature(path, last)
        }
        _ => true,
    };
    reason(ty).filter(|_| is_known)
}

/// The types that stand in a type.
pub(super) fn parts(ty: &Type) -> Vec<&Type> {
    match ty {
        Type::Group(group) => parts(&group.elem),
        Type::Paren(paren) => parts(&paren.elem),
        Type::Array(array) => vec![&array.elem],
        Type::Slice(slice) => vec![&slice.elem],
        Type::Tuple(tuple) => tuple.elems.iter().collect(),
        Type::Path(path) => path
            .path
            .segments
            .last()
            .into_iter()
            .flat_map(arguments)
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns true if the name is one that the type system has a reason for.
fn has_reason(last: &PathSegment) -> bool {
    let is_any = |names: &[&str]| names.iter().any(|name| last.ident == name);
    let has_other_keys = |key: &Type| !matches!(key, Type::Path(key) if key.path.segments.last().is_some_and(|last| last.ident == "String"));
    is_any(&WIDE) || (is_any(&MAPS) && arguments(last).next().is_some_and(has_other_keys))
}

fn is_of_feature(path: &TypePath, last: &PathSegment) -> bool {
    let is_any =
        |segment: &PathSegment, names: &[&str]| names.iter().any(|name| segment.ident == name);
    let mut segments = path.path.segments.iter();
    let first = segments.next().filter(|_| segments.len() > 0);
    is_any(last, &OF_FEATURES) || first.is_some_and(|first| is_any(first, &FEATURES))
}

/// The types in the `<…>` of a name.
pub(super) fn arguments(segment: &PathSegment) -> impl Iterator<Item = &Type> {
    let arguments = match &segment.arguments {
        PathArguments::AngleBracketed(generic) => Some(&generic.args),
        _ => None,
    };
    arguments
        .into_iter()
        .flatten()
        .filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        })
}

fn length(expression: &Expr) -> Option<usize> {
    match expression {
        Expr::Lit(ExprLit {
            lit: Lit::Int(length),
            ..
        }) => length.base10_parse().ok(),
        _ => None,
    }
}
