//! Our attribute, by its name and its path.

use syn::{Attribute, Path};

use crate::model::{Root, plain};

/// Returns true if an attribute marks a method as a tool.
pub(super) fn is_mark(attribute: &Attribute, root: &Root) -> bool {
    is_ours(attribute.path(), Some(root))
}

/// Returns true if a path names our attribute: by its name alone, or in the facade. Other crates have attributes of
/// the same name.
pub(super) fn is_ours(path: &Path, root: Option<&Root>) -> bool {
    let names = |path: &Path| {
        let segments = path.segments.iter();
        segments
            .map(|segment| plain(&segment.ident))
            .collect::<Vec<_>>()
    };
    let mut outer = names(path);
    outer.pop().is_some_and(|last| last == "tool")
        && (outer.is_empty()
            || outer == ["toolwright"]
            || root.is_some_and(|Root(root)| outer == names(root)))
}
