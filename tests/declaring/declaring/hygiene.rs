//! Tools wherever a function can stand, quiet under every lint.

#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    unreachable_pub,
    unused_qualifications,
    rust_2018_idioms,
    clippy::all,
    clippy::pedantic
)]

use toolwright::{ToolContext, ToolInput, tool, toolset};

use super::{run, text};

/// A unit.
#[derive(Debug, Clone, Copy, serde::Deserialize, ToolInput)]
pub(crate) enum Unit {
    /// Degrees Celsius.
    Celsius,
    /// Degrees Fahrenheit.
    Fahrenheit,
}

/// Everything that a parameter may be.
#[tool]
pub(crate) async fn everything(
    /// A text.
    text: String,
    #[tool(default = 5)] number: u8,
    #[tool(default)] list: Vec<i64>,
    mut unit: Option<Unit>,
    #[context] cx: &ToolContext,
) -> Result<String, toolwright::ToolError> {
    std::future::ready(()).await;
    if number == 0 {
        unit = None;
    }
    Ok(format!(
        "{text} {number} {list:?} {unit:?} {}",
        cx.call_id()
    ))
}

/// Nothing goes in and nothing comes out.
#[tool]
fn nothing() {}

/// The same without a wait.
#[tool]
async fn nothing_async() {
    std::future::ready(()).await;
}

mod inner {
    use toolwright::tool;

    pub(crate) mod deep {
        /// Stands in a nested module.
        #[toolwright::tool]
        pub(crate) fn nested(n: u8) -> u8 {
            n
        }

        /// Stands beside it, under `cfg`.
        #[cfg(not(any()))]
        #[toolwright::tool]
        #[cfg(not(any()))]
        pub(crate) fn nested_again(n: u8) -> u8 {
            n
        }
    }

    pub(crate) use deep::*;

    /// Raw identifiers are names too.
    #[tool(name = "kind_of")]
    pub(crate) fn r#type(r#in: u8) -> u8 {
        r#in
    }

    /// A raw identifier gives its name.
    #[tool]
    pub(super) fn r#match(n: u8) -> u8 {
        n
    }
}

macro_rules! make {
    ($name:ident, $description:literal, $ty:ty) => {
        #[doc = $description]
        #[tool]
        fn $name(value: $ty) -> $ty {
            value
        }
    };
}

make!(made_number, "Made by a macro, first.", u8);
make!(made_list, "Made by a macro, second.", Vec<u8>);

mod shadowed {
    #![allow(dead_code, non_camel_case_types, clippy::upper_case_acronyms)]

    struct Result;
    struct Option;
    struct String;
    struct Box;
    struct Vec;
    struct Arc;
    struct Ok;
    struct Err;
    struct Some;
    struct None;
    struct str;
    struct bool;
    struct usize;

    /// The prelude is shadowed, and it is still a tool.
    #[toolwright::tool]
    pub(super) fn shadowed(value: u8, list: std::vec::Vec<i8>) -> u8 {
        let _ = list;
        value
    }
}

mod without_prelude {
    #![no_implicit_prelude]

    /// There is no prelude, and it is still a tool.
    #[::toolwright::tool]
    pub(super) async fn without_prelude(#[tool(default)] value: u8) -> u8 {
        value
    }

    /// Nor is there one for types.
    #[derive(::std::fmt::Debug, ::serde::Deserialize, ::toolwright::ToolInput)]
    pub(super) struct Value {
        value: u8,
    }

    /// Take the type that was made without it.
    #[::toolwright::tool]
    pub(super) fn without_prelude_too(value: Value) -> u8 {
        value.value
    }

    pub(super) struct Shop(u8);

    #[::toolwright::tools]
    impl Shop {
        /// Count the products in a drawer.
        #[tool]
        fn count(&self, drawer: u8) -> u8 {
            drawer + self.0
        }

        /// Wait for a product in a drawer.
        #[tool]
        async fn wait(&self, drawer: u8) -> u8 {
            drawer + self.0
        }
    }

    pub(super) fn tools() -> ::toolwright::Toolset {
        let tools = ::toolwright::toolset![without_prelude, without_prelude_too];
        ::std::result::Result::expect(tools.merge(Shop(0).into_tools()), "the names differ")
    }
}

mod shadowed_types {
    #![allow(dead_code, non_camel_case_types)]

    // serde's derive does not bear a shadowed `str`.
    struct Result;
    struct Option;
    struct String;
    struct Vec;
    struct bool;
    struct usize;

    /// Types are described all the same.
    #[derive(Debug, serde::Deserialize, toolwright::ToolInput)]
    pub(super) struct Shadowed {
        /// A number.
        pub(super) value: u8,
    }

    /// A tool may be called so.
    #[toolwright::tool(type = StrTool)]
    pub(super) fn str(value: Shadowed) -> u8 {
        value.value
    }
}

/// The usual layout of a file for each tool.
mod get_time {
    /// Get the time in a city.
    #[toolwright::tool(type = GetTime)]
    pub(super) fn get_time(city: String) -> String {
        city
    }
}

/// A macro is no type, whatever an import says.
mod imported {
    use std::concat;

    /// Say what belongs together.
    #[toolwright::tool]
    pub(super) fn concat() -> &'static str {
        concat!("a", "b")
    }
}

/// Only one of two functions of a name is there.
mod of_two {
    /// Never there.
    #[cfg(any())]
    #[toolwright::tool]
    pub(super) fn one() {}

    /// Say which it is.
    #[cfg(not(any()))]
    #[toolwright::tool]
    pub(super) fn one() -> u8 {
        2
    }
}

/// A deprecated tool is still offered. Whoever offers it is told, and has allowed it.
#[tool]
#[deprecated]
fn old() {}

/// Names that the expansion could use itself.
#[tool]
fn names(
    cx: u8,
    #[context] __cx: &ToolContext,
    call: u8,
    #[context] returned: &ToolContext,
    value: u8,
) -> u8 {
    let _ = (__cx.call_id(), returned.call_id());
    cx + call + value
}

#[cfg(any())]
/// Does not exist.
#[tool]
fn absent(value: DoesNotExist) {}

/// Exists only without it.
#[tool]
#[cfg(any())]
fn absent_too(value: DoesNotExist) {}

#[test]
fn tools_stand_beside_others_of_their_name() {
    let tools = toolset![imported::concat, of_two::one];
    assert_eq!(text(&tools, "concat", "{}"), "ab");
    assert_eq!(text(&tools, "one", "{}"), "2");
}

#[test]
#[allow(deprecated)]
fn tools_stand_anywhere() {
    /// Stands inside a function.
    #[tool]
    fn local(n: u8) -> u8 {
        n + 1
    }
    use inner::{nested, r#type};

    let tools = toolset![
        everything,
        nothing,
        nothing_async,
        nested,
        inner::deep::nested_again,
        r#type,
        inner::r#match,
        made_number,
        made_list,
        shadowed::shadowed,
        shadowed_types::StrTool,
        get_time::GetTime,
        local,
        names,
        without_prelude::without_prelude,
        without_prelude::without_prelude_too,
        old,
        #[cfg(any())]
        absent,
    ];
    let _ = inner::r#match(1);
    assert_eq!(local(1) + nested(1) + made_number(1), 4);
    assert_eq!(
        tools.names().collect::<Vec<_>>(),
        [
            "everything",
            "nothing",
            "nothing_async",
            "nested",
            "nested_again",
            "kind_of",
            "match",
            "made_number",
            "made_list",
            "shadowed",
            "str",
            "get_time",
            "local",
            "names",
            "without_prelude",
            "without_prelude_too",
            "old"
        ]
    );
    assert_eq!(
        text(&tools, "everything", r#"{"text":"a","unit":"Celsius"}"#),
        "a 5 [] Some(Celsius) call_1"
    );
    let without = without_prelude::tools();
    assert_eq!(text(&without, "count", r#"{"drawer":3}"#), "3");
    assert_eq!(text(&without, "wait", r#"{"drawer":4}"#), "4");
    assert_eq!(text(&tools, "kind_of", r#"{"in":3}"#), "3");
    assert_eq!(text(&tools, "match", r#"{"n":3}"#), "3");
    assert_eq!(text(&tools, "shadowed", r#"{"value":3,"list":[1]}"#), "3");
    assert_eq!(text(&tools, "str", r#"{"value":{"value":4}}"#), "4");
    assert_eq!(text(&tools, "get_time", r#"{"city":"Oslo"}"#), "Oslo");
    assert!(run(&tools, "nothing", "").unwrap().parts.is_empty());
    assert!(
        run(&tools, "nothing_async", "null")
            .unwrap()
            .parts
            .is_empty()
    );
    assert_eq!(text(&tools, "names", r#"{"cx":1,"call":2,"value":3}"#), "6");
    assert!(toolset![].is_empty());
}
