//! What the schema of a type accepts and what serde accepts agree, by values at random on both sides.
//!
//! serde accepts a little more, on purpose, and none of it is asked for by the schema:
//!
//! - a list of the fields for a struct, `{"Name": null}` for a variant without data, other keys
//!   beside the two of an adjacent tag;
//! - an `alias`;
//! - a value that comes twice in a set.
//!
//! It accepts less in one place: a 64-bit integer and an `f32` have limits, which are not told,
//! because a model would learn nothing from them.

pub(super) mod generate;
pub(super) mod profiles;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque},
    num::{NonZeroI8, NonZeroI64, NonZeroU8, NonZeroU64},
    path::{Path, PathBuf},
};

use serde::Deserialize;
use serde_json::Value;
use toolwright::{ToolInput, Toolset, toolset};

use super::run;
use generate::{Random, allowed, broken, change};

/// Compares both sides for the only tool of a set.
fn check(tools: &Toolset) {
    let definition = tools.definitions().next().expect("there is one tool");
    let name = &definition.name;
    let schema = definition.input_schema.to_value();
    assert!(jsonschema::meta::is_valid(&schema), "{name}: {schema}");
    let validator = jsonschema::draft202012::new(&schema).expect("the schema is valid");
    let mut random = Random::new(name.len() as u64);
    let (mut good, mut bad) = (0, 0);
    for round in 0..1_500 {
        let mut value = allowed(&schema, &schema, &mut random);
        for _ in 0..round % 3 {
            change(&mut value, &mut random);
        }
        if value.is_null() {
            continue; // A model's way to write no arguments.
        }
        // It may say anything, but must not panic.
        let _ = run(tools, name, &broken(&value, &mut random));
        let by_schema = validator.is_valid(&value);
        let by_serde = run(tools, name, &value.to_string());
        assert_eq!(
            by_serde.is_ok(),
            by_schema,
            "{name}: {value}\n{schema}\n{by_serde:?}"
        );
        *(if by_schema { &mut good } else { &mut bad }) += 1;
    }
    assert!(good > 300 && bad > 30, "{name}: {good} good, {bad} bad");
    profiles::check(tools);
}

/// A tool around each type, and the check of it.
macro_rules! parity {
    ($($name:ident: $($ty:ty),+;)*) => {$(
        #[test]
        fn $name() {
            $({
                /// Take a value of the type.
                #[toolwright::tool]
                fn take(value: $ty, other: Option<$ty>) {
                    let _ = (value, other);
                }
                check(&toolset![take]);
            })+
        }
    )*};
}

parity! {
    scalars: bool, char, String, Box<str>, Cow<'_, str>, &str, PathBuf, &Path, f32, f64, ();
    integers: i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, NonZeroU8, NonZeroU64, NonZeroI8, NonZeroI64;
    lists: Vec<u8>, &[u8], VecDeque<String>, Box<[bool]>, [u8; 3], [Named; 2];
    tuples: (u8,), (u8, String), (Named, Option<bool>, [u8; 2]);
    sets: BTreeSet<u8>, HashSet<String>, BTreeSet<char>;
    maps: BTreeMap<String, u8>, HashMap<String, Vec<Named>>;
    wrapped: Option<u8>, Box<Named>, Option<Box<Page<Option<u8>>>>, Vec<Vec<(u8, bool)>>;
    structs: Named, Closed, Renamed, Defaults, Page<u8>, Page<Named>;
    newtypes: Newtype, Transparent, Around, Nothing, Pair, Skipped, NewtypeOption, TransparentOption;
    enums: Plain, External, Internal, Adjacent, Untagged, RenamedEnum, Generic<u8>;
    closed: InternalClosed, ExternalClosed, AdjacentClosed, UntaggedClosed;
    nested: Deep, Vec<External>, BTreeMap<String, Internal>, Option<Adjacent>, Vec<Untagged>;
    flattened: Flat, FlatTwice, FlatMap, FlatGeneric<Named>, FlatVariant;
}

macro_rules! types {
    ($($item:item)*) => {$(
        #[derive(Debug, Deserialize, ToolInput, PartialEq)]
        #[allow(dead_code)]
        $item
    )*};
}

types! {
    struct Named {
        x: u8,
        text: Option<String>,
    }

    #[serde(deny_unknown_fields)]
    struct Closed {
        x: i16,
        inner: Named,
    }

    #[serde(rename_all = "camelCase")]
    struct Renamed {
        first_word: bool,
        #[serde(rename = "2nd", alias = "second")]
        second_word: Vec<u8>,
        #[serde(skip)]
        third: u8,
    }

    struct Defaults {
        #[serde(default)]
        a: u8,
        c: char,
    }

    struct Page<T> {
        items: Vec<T>,
        #[serde(default)]
        next: u32,
    }

    struct Newtype(u8);

    #[serde(transparent)]
    struct Transparent {
        named: Named,
        #[serde(skip)]
        other: u8,
    }

    struct Around(Vec<Newtype>);

    struct Nothing;

    struct Pair(u8, Named);

    struct Skipped(u8, #[serde(skip)] u8, bool);

    struct NewtypeOption(Option<u8>);

    #[serde(transparent)]
    struct TransparentOption(Option<u8>);

    #[serde(rename_all = "kebab-case")]
    enum Plain {
        OneWord,
        #[serde(alias = "deux")]
        Two,
        #[serde(skip)]
        Three,
    }

    enum External {
        Unit,
        /// Documented.
        Other,
        One(Named),
        Maybe(Option<u8>),
        Two(u8, bool),
        Fields { x: u8, text: Option<String> },
        Skipped(#[serde(skip)] u8),
    }

    #[serde(tag = "kind")]
    enum Internal {
        Unit,
        One(Named),
        Rest(BTreeMap<String, u8>),
        Boxed(Box<Closed>),
        Fields { x: u8, text: Option<String> },
    }

    #[serde(tag = "kind", deny_unknown_fields)]
    enum InternalClosed {
        Unit,
        One(Named),
        Fields { x: u8, text: Option<String> },
    }

    #[serde(deny_unknown_fields)]
    enum ExternalClosed {
        Unit,
        One(Named),
        Fields { x: u8, text: Option<String> },
    }

    #[serde(untagged, deny_unknown_fields)]
    enum UntaggedClosed {
        Fields { x: u8, text: Option<String> },
        Named(Named),
    }

    #[serde(tag = "t", content = "c", deny_unknown_fields)]
    enum AdjacentClosed {
        Unit,
        Fields { x: u8 },
    }

    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        Unit,
        One(Named),
        Maybe(Option<u8>),
        Two(u8, bool),
        Fields { x: u8 },
    }

    #[serde(untagged)]
    enum Untagged {
        Number(u8),
        Text(String),
        Fields { x: u8 },
        Closed(Closed),
        Pair(bool, u8),
        Unit,
    }

    #[serde(rename_all = "snake_case", rename_all_fields = "camelCase")]
    enum RenamedEnum {
        OneWord { some_field: u8 },
        #[serde(rename = "2", rename_all = "UPPERCASE")]
        Two { some_field: u8 },
        #[serde(skip)]
        Three(std::convert::Infallible),
    }

    enum Generic<T> {
        None,
        Some(T),
        Both { a: T, b: T },
    }

    struct Deep {
        external: External,
        internal: Vec<Internal>,
        adjacent: Option<Adjacent>,
        untagged: Untagged,
        pair: (Plain, Newtype),
    }

    struct Flat {
        a: bool,
        #[serde(flatten)]
        named: Named,
        b: Option<u8>,
    }

    struct FlatTwice {
        #[serde(flatten)]
        flat: Box<Flat>,
        #[serde(flatten)]
        renamed: Renamed,
    }

    struct FlatMap {
        #[serde(flatten)]
        named: Named,
        #[serde(flatten)]
        rest: BTreeMap<String, u8>,
    }

    struct FlatGeneric<T> {
        a: bool,
        #[serde(flatten)]
        inner: T,
    }

    #[serde(tag = "kind")]
    enum FlatVariant {
        One {
            a: bool,
            #[serde(flatten)]
            named: Named,
        },
        Two(Flat),
    }
}

#[test]
fn any_value_is_any_value() {
    /// Take a value of the type.
    #[toolwright::tool]
    fn take(value: Value, object: serde_json::Map<String, Value>, maybe: Option<Value>) -> String {
        format!("{value} {object:?} {maybe:?}")
    }
    check(&toolset![take]);
}
