//! The types that are written as a text.

use crate::schema::{Kind, Node, Spelling};

/// Describes types that are written as a text.
macro_rules! formatted {
    ($([$($generics:tt)*] $ty:ty: $key:ident = $form:literal, $expected:literal;)*) => {$(
        impl<$($generics)*> Formatted<$ty>
        where
            $ty: serde::de::DeserializeOwned,
        {
            const SPELLING: crate::schema::Spelling = crate::schema::Spelling {
                $key: Some($form),
                expected: $expected,
                check: |json| serde_json::from_str::<$ty>(json).map(drop),
                ..crate::schema::formatted::texts::UNKNOWN
            };
        }

        impl<$($generics)*> crate::schema::Describe for Formatted<$ty>
        where
            $ty: serde::de::DeserializeOwned,
        {
            const FACTS: crate::schema::TypeFacts =
                crate::schema::TypeFacts::of(crate::schema::Kind::Formatted(Self::SPELLING));

            fn node() -> &'static crate::schema::Node {
                const { &crate::schema::formatted::texts::node(Self::SPELLING) }
            }
        }

        impl<$($generics)*> crate::schema::Ends for Formatted<$ty>
        where
            $ty: serde::de::DeserializeOwned,
        {}

        #[diagnostic::do_not_recommend]
        impl<$($generics)*> crate::schema::ToolInput for $ty
        where
            $ty: serde::de::DeserializeOwned,
        {
            type Body<F: crate::schema::Fuel> = Formatted<$ty>;
        }
    )*};
}
pub(super) use formatted;

/// The description of `T`, which is written as a text.
#[derive(Debug)]
pub struct Formatted<T>(std::marker::PhantomData<T>);

pub(super) const UNKNOWN: Spelling = Spelling {
    format: None,
    pattern: None,
    expected: "",
    check: |_| Ok(()),
};

/// A pattern alone says little, so that it comes with words.
pub(super) const fn node(spelling: Spelling) -> Node {
    Node {
        description: if spelling.pattern.is_some() {
            spelling.expected
        } else {
            ""
        },
        ..Node::new(Kind::Formatted(spelling))
    }
}
