//! Keywords that say nothing of which values fit.

/// Keywords that say nothing of the values of a schema, nor of their meaning.
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

/// Returns true if a keyword does not restrict the values that fit.
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
