//! Keywords that say nothing of which values fit.

/// What says nothing of the values of a schema, nor of what they mean.
pub const SILENT: [&str; 8] = [
    "$defs",
    "definitions",
    "$schema",
    "$id",
    "id",
    "$comment",
    "$anchor",
    "$vocabulary",
];

/// Whether a keyword says nothing of which values fit.
pub fn is_remark(key: &str) -> bool {
    matches!(
        key,
        "description"
            | "title"
            | "default"
            | "examples"
            | "example"
            | "deprecated"
            | "$comment"
            | "readOnly"
            | "writeOnly"
            | "$id"
            | "$schema"
    )
}
