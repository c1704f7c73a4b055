//! Texts of a known form: the types of other crates that are written so, one feature each.

#[cfg(feature = "bytes")]
mod bytes;
#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "jiff")]
mod jiff;
#[cfg(feature = "rust_decimal")]
mod rust_decimal;
#[cfg(any(
    feature = "chrono",
    feature = "jiff",
    feature = "rust_decimal",
    feature = "url",
    feature = "uuid"
))]
mod texts;
#[cfg(feature = "url")]
mod url;
#[cfg(feature = "uuid")]
mod uuid;

/// The form in which the values of a type are written.
#[derive(Debug, Clone, Copy)]
pub struct Spelling {
    /// The `format` of JSON Schema, if one says it all.
    pub format: Option<&'static str>,
    /// The pattern of the string, if there is no such format.
    pub pattern: Option<&'static str>,
    /// The expected form, for an error message: `a UUID, such as "…"`.
    pub expected: &'static str,
    /// Decodes JSON with the type's own decoder, which may accept more than the schema says. An error
    /// says what is wrong.
    pub check: fn(&str) -> Result<(), serde_json::Error>,
}
