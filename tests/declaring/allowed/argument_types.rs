//! Types that generated code has to cope with: generic, flattened, as deep as may be, beside names of std.

#![deny(warnings)]
#![allow(
    dead_code,
    clippy::drop_non_drop,
    clippy::type_complexity,
    reason = "only whether it compiles matters"
)]

use std::collections::BTreeMap;

use serde::Deserialize;
use toolwright::{ToolInput, tool, toolset};

#[derive(Deserialize, ToolInput)]
struct Page<T: Clone, const N: usize = 2>
where
    T: Default,
{
    items: [T; 2],
    #[serde(flatten)]
    inner: Inner<T>,
}

#[derive(Clone, Default, Deserialize, ToolInput)]
struct Inner<T> {
    value: T,
    r#type: u8,
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind", rename_all_fields = "camelCase")]
enum Either<A, B> {
    Neither,
    Left(Inner<A>),
    Right {
        some_value: B,
        #[serde(flatten)]
        rest: BTreeMap<String, u8>,
    },
}

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
enum Nested {
    Newtype(Wrapper),
    Empty {},
    Unit,
}

#[derive(Deserialize, ToolInput)]
struct Wrapper(pub(crate) (u8, Nothing));

#[derive(Deserialize, ToolInput)]
struct Nothing;

/// Names that generated code could be taken in by.
mod shadowed {
    struct Option;
    struct Result;
    struct String;
    struct Some;
    struct None;
    struct Box;
    struct Vec;

    #[derive(serde::Deserialize, toolwright::ToolInput)]
    #[serde(tag = "tag", content = "content")]
    pub(super) enum Adjacent {
        Unit,
        One(u8),
        Two(u8, u8),
        Fields { x: u8 },
    }
}

macro_rules! level {
    ($name:ident of $part:ty) => {
        #[derive(Deserialize, ToolInput)]
        enum $name {
            Flat,
            Deep { part: $part },
        }
    };
}

level!(L1 of u8);
level!(L2 of L1);
level!(L3 of L2);
level!(L4 of L3);
level!(L5 of L4);
level!(L6 of L5);
level!(L7 of L6);
level!(L8 of L7);
level!(L9 of L8);

/// Take nine levels, which makes ten.
#[tool]
fn deep(value: L9) {
    drop(value);
}

/// Take what is flattened or tagged, which adds no level.
#[tool]
fn take(page: Page<u8>, either: Either<bool, char>, nested: Nested, adjacent: shadowed::Adjacent) {
    drop((page, either, nested, adjacent));
}

#[test]
fn are_taken() {
    assert_eq!(toolset![deep, take].len(), 2);
}
