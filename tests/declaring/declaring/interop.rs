//! Traps: names that hide others, declarations made by macros, aliases, attributes in odd places.

#![deny(warnings, unused_qualifications, unreachable_pub, clippy::pedantic)]

use std::marker::PhantomData;

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools, toolset};

use super::{schema, text};

/// Modules that are called like what generated code could name.
mod hidden_crates {
    #![allow(unused)]

    mod toolwright {}
    mod core {}
    mod std {}
    mod alloc {}
    mod serde_json {}
    mod schemars {}
    mod __private {}

    /// A type among modules that hide crates.
    #[derive(Debug, serde::Deserialize, ::toolwright::ToolInput)]
    #[tool(json_schema)]
    pub(super) struct Held {
        pub(super) value: u8,
    }

    /// Take a value where modules hide crates.
    #[::toolwright::tool]
    pub(super) fn hidden_crates(
        held: Held,
        #[tool(schemars)] other: Option<u8>,
        #[tool(default)] more: u8,
    ) -> Result<u8, ::toolwright::ToolError> {
        if more > 9 {
            return Err(::toolwright::ToolError::cancelled("too many"));
        }
        Ok(held.value + other.unwrap_or(1) + more)
    }

    pub(super) struct Block;

    #[::toolwright::tools]
    impl Block {
        /// Take a value in a block of them.
        #[tool]
        async fn block_among_modules(&self, n: u8) -> u8 {
            n
        }
    }
}

/// Names that are keywords.
#[derive(Debug, Deserialize, ToolInput)]
#[expect(non_camel_case_types, reason = "keywords have no capitals")]
enum Keyword {
    r#fn,
    r#type { r#in: u8 },
}

#[derive(Debug, Deserialize, ToolInput)]
struct Raw {
    r#type: u8,
    r#match: Keyword,
}

/// Take what is called like keywords.
#[tool]
fn raw(r#struct: Raw) -> String {
    match r#struct.r#match {
        Keyword::r#fn => format!("fn {}", r#struct.r#type),
        Keyword::r#type { r#in } => {
            let n = r#in;
            format!("in {n}")
        }
    }
}

/// A struct has the camel-case name of the function.
#[tool]
fn get_value(value: GetValue) -> u8 {
    value.0
}

#[derive(Debug, Deserialize, ToolInput)]
struct GetValue(u8);

mod first {
    /// Has the name of another tool, first.
    #[toolwright::tool]
    pub(super) fn same() -> u8 {
        1
    }
}

mod second {
    /// Has the name of another tool, second.
    #[toolwright::tool(name = "same_again")]
    pub(in super::super) fn same() -> u8 {
        2
    }
}

type Maybe<T> = Option<T>;
type Outcome<T> = Result<T, ToolError>;
type Cx<'a> = &'a ToolContext;

/// Aliases mean what they stand for.
#[tool]
fn aliases(n: Maybe<u8>, #[context] cx: Cx<'_>) -> Outcome<Maybe<String>> {
    if n == Some(0) {
        return Err(ToolError::cancelled("nothing"));
    }
    Ok(n.map(|n| format!("{n} {}", cx.call_id())))
}

/// The documentation comes first.
#[expect(clippy::unnecessary_wraps, reason = "an attribute stands here")]
///
/// It goes on after an attribute.
#[tool]
///
/// And after ours.
fn documented(
    /// Of the parameter.
    ///
    /// In two paragraphs.
    #[tool(default)]
    /// And after the key.
    n: u8,
) -> Option<u8> {
    Some(n)
}

macro_rules! whole {
    ($(#[$attribute:meta])* fn $name:ident($($parameter:ident: $ty:ty),*) -> $output:ty $body:block) => {
        $(#[$attribute])*
        #[tool]
        fn $name($($parameter: $ty),*) -> $output $body
    };
}

whole! {
    /// A whole function through a macro.
    fn whole(a: u8, b: Vec<u8>) -> usize { usize::from(a) + b.len() }
}

macro_rules! documented_by_macro {
    ($text:expr, $ty:ident) => {
        #[doc = $text]
        #[derive(Debug, Deserialize, Tool)]
        struct $ty {
            #[doc = $text]
            #[expect(dead_code, reason = "only the schema is asked for")]
            value: u8,
        }

        impl Execute for $ty {
            type Output = ();

            async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
                Ok(())
            }
        }
    };
}

documented_by_macro!(concat!("Text of ", "a macro."), DocumentedByMacro);

/// A parameter that no field describes needs nothing.
#[derive(Debug, Deserialize, ToolInput)]
struct Marked<T, U: Default> {
    value: u8,
    #[serde(skip)]
    _marker: PhantomData<T>,
    #[serde(skip)]
    _other: U,
}

/// Neither of them is a type that a model could send.
#[derive(Debug, Default)]
struct Opaque;

/// Take a type with parameters that are not sent.
#[tool]
fn marked(marked: Marked<Opaque, Opaque>) -> u8 {
    marked.value
}

/// `Self` means the type, not what is generated beside it.
#[derive(Debug, Deserialize, ToolInput)]
struct Own {
    item: <Self as Counted>::Item,
    list: [u8; Self::LENGTH],
    #[serde(skip)]
    _same: Option<Box<Self>>,
}

trait Counted {
    type Item;
}

impl Counted for Own {
    type Item = u16;
}

impl Own {
    const LENGTH: usize = 1;
}

/// Take a type that names itself.
#[tool]
fn own(own: Own) -> u16 {
    own.item + u16::from(own.list[0])
}

#[derive(Debug)]
struct Conditional;

#[tools]
impl Conditional {
    /// Stands below its condition.
    #[cfg(not(any()))]
    #[tool]
    fn below() {}

    /// Stands above its condition.
    #[tool]
    #[cfg(not(any()))]
    fn above() {}

    /// Is not there, as the condition above says.
    #[cfg(any())]
    #[tool]
    fn absent_above(value: DoesNotExist) {}

    /// Is not there, as the condition below says.
    #[tool]
    #[cfg(any())]
    fn absent_below(value: DoesNotExist) {}
}

#[test]
fn nothing_hides_what_is_generated() {
    let tools = toolset![hidden_crates::hidden_crates];
    let tools = tools.merge(hidden_crates::Block.into_tools()).unwrap();
    assert_eq!(
        text(&tools, "hidden_crates", r#"{"held":{"value":3}}"#),
        "4"
    );
    assert_eq!(text(&tools, "block_among_modules", r#"{"n":3}"#), "3");
}

#[test]
fn names_are_as_they_are_written() {
    let tools = toolset![raw, get_value, first::same, second::same, aliases];
    let raw = r#"{"struct":{"type":1,"match":"fn"}}"#;
    assert_eq!(text(&tools, "raw", raw), "fn 1");
    let raw = r#"{"struct":{"type":1,"match":{"type":{"in":2}}}}"#;
    assert_eq!(text(&tools, "raw", raw), "in 2");
    assert_eq!(text(&tools, "get_value", r#"{"value":3}"#), "3");
    assert_eq!(text(&tools, "same", "{}"), "1");
    assert_eq!(text(&tools, "same_again", "{}"), "2");
    assert_eq!(text(&tools, "aliases", r#"{"n":1}"#), "1 call_1");
    assert_eq!(text(&tools, "aliases", "{}"), "null");
}

#[test]
fn documentation_is_kept_around_attributes() {
    let tools = toolset![documented];
    let definition = tools.definitions().next().unwrap();
    assert_eq!(
        definition.description,
        "The documentation comes first.\n\nIt goes on after an attribute.\n\nAnd after ours."
    );
    assert!(
        schema(&tools).contains(
            r#""description":"Of the parameter.\n\nIn two paragraphs.\nAnd after the key.""#
        ),
        "{}",
        schema(&tools)
    );
}

#[test]
fn macros_make_tools() {
    let tools = toolset![whole, DocumentedByMacro];
    assert_eq!(text(&tools, "whole", r#"{"a":1,"b":[2]}"#), "2");
    let definition = tools.definitions().nth(1).unwrap();
    assert_eq!(definition.description, "Text of a macro.");
    let value = &definition.input_schema.to_value()["properties"]["value"];
    assert_eq!(value["description"], "Text of a macro.");
}

#[test]
fn type_parameters_are_asked_for_what_is_sent() {
    let tools = toolset![marked, own];
    assert_eq!(text(&tools, "marked", r#"{"marked":{"value":3}}"#), "3");
    let own = r#"{"own":{"item":300,"list":[5]}}"#;
    assert_eq!(text(&tools, "own", own), "305");
}

#[test]
fn conditions_hold_above_and_below() {
    let tools = Conditional.into_tools();
    assert_eq!(tools.names().collect::<Vec<_>>(), ["below", "above"]);
}
