//! Texts of a known form: the types of other crates that are written so, one feature each.

#[cfg(feature = "bytes")]
mod bytes;
#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "jiff")]
mod jiff;
#[cfg(feature = "rust_decimal")]
mod rust_decimal;
#[cfg(feature = "url")]
mod url;
#[cfg(feature = "uuid")]
mod uuid;

/// How the values of a type are written.
#[derive(Debug, Clone, Copy)]
pub struct Spelling {
    /// The `format` of JSON Schema, if one says it all.
    pub format: Option<&'static str>,
    /// Else the pattern that tells what the text looks like.
    pub pattern: Option<&'static str>,
    /// What should have come, for the message of a mistake: `a UUID, such as "…"`.
    pub expected: &'static str,
    /// Whether JSON text is a value of the type: the type's own decoder, which may take more than
    /// the model is told.
    pub fits: fn(&str) -> bool,
}

/// Describes types that are written as a text.
#[cfg(any(
    feature = "chrono",
    feature = "jiff",
    feature = "rust_decimal",
    feature = "url",
    feature = "uuid"
))]
macro_rules! formatted {
    ($([$($generics:tt)*] $ty:ty: $key:ident = $form:literal, $expected:literal;)*) => {$(
        impl<$($generics)*> crate::schema::Describe for Formatted<$ty>
        where
            $ty: serde::de::DeserializeOwned,
        {
            const FACTS: crate::schema::Facts = crate::schema::Facts::SCALAR;

            fn node() -> &'static crate::schema::Node {
                const {
                    &crate::schema::formatted::node(crate::schema::Spelling {
                        $key: Some($form),
                        expected: $expected,
                        fits: |json| serde_json::from_str::<$ty>(json).is_ok(),
                        ..crate::schema::formatted::UNKNOWN
                    })
                }
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($generics)*> crate::schema::ToolInput for $ty
        where
            $ty: serde::de::DeserializeOwned,
        {
            type Body<F: crate::schema::Fuel> = Formatted<$ty>;
        }
    )*};
}
#[cfg(any(
    feature = "chrono",
    feature = "jiff",
    feature = "rust_decimal",
    feature = "url",
    feature = "uuid"
))]
use formatted;

/// The description of `T`, which is written as a text.
#[derive(Debug)]
#[cfg(any(
    feature = "chrono",
    feature = "jiff",
    feature = "rust_decimal",
    feature = "url",
    feature = "uuid"
))]
pub struct Formatted<T>(std::marker::PhantomData<T>);

#[cfg(any(
    feature = "chrono",
    feature = "jiff",
    feature = "rust_decimal",
    feature = "url",
    feature = "uuid"
))]
const UNKNOWN: Spelling = Spelling {
    format: None,
    pattern: None,
    expected: "",
    fits: |_| false,
};

/// A pattern alone says little, so that it comes with words.
#[cfg(any(
    feature = "chrono",
    feature = "jiff",
    feature = "rust_decimal",
    feature = "url",
    feature = "uuid"
))]
const fn node(spelling: Spelling) -> super::Node {
    super::Node {
        named: None,
        description: if spelling.pattern.is_some() {
            spelling.expected
        } else {
            ""
        },
        kind: super::Kind::Formatted(spelling),
        is_constrained: false,
    }
}
