//! Types that borrow, and where their texts stand.

use std::{
    borrow::Cow,
    path::Path,
    sync::{Mutex, PoisonError},
    task::{Context, Waker},
};

use toolwright::{ToolCall, ToolContext, ToolInput, tool, tool::Call, toolset};

use crate::declaring::{schema, text};

/// A text inside a type that borrows.
#[derive(Debug, serde::Deserialize, ToolInput)]
struct Words<'a>(#[serde(borrow)] Cow<'a, str>);

#[derive(Debug, serde::Deserialize, ToolInput)]
#[allow(dead_code)]
struct Query<'a, T> {
    /// What to look for.
    #[serde(borrow)]
    words: Cow<'a, str>,
    copied: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    not: Vec<Words<'a>>,
    #[serde(borrow)]
    filter: Option<Filter<'a>>,
    more: T,
}

#[derive(Debug, serde::Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
#[allow(dead_code)]
enum Filter<'a> {
    By {
        #[serde(borrow)]
        author: Cow<'a, str>,
    },
    #[serde(borrow)]
    In(Cow<'a, str>),
}

#[derive(Debug, serde::Deserialize, ToolInput)]
#[allow(dead_code)]
struct Flat<'a> {
    #[serde(flatten, borrow)]
    filter: Tag<'a>,
    limit: u8,
}

#[derive(Debug, serde::Deserialize, ToolInput)]
#[allow(dead_code)]
struct Tag<'a> {
    #[serde(borrow)]
    tag: Cow<'a, str>,
}

/// Show types that borrow.
#[tool]
async fn queries<'q>(
    one: Query<'q, u8>,
    all: &[Query<'_, Option<Words<'q>>>],
    flat: Option<&Flat<'_>>,
) -> String {
    format!("{one:?} {all:?} {flat:?}")
}

#[test]
fn types_that_borrow() {
    let tools = toolset![queries];
    let arguments = r#"{"one":{"words":"w","not":["\"n\"","m"],"filter":{"by":{"author":"a"}},
        "more":1.0},"all":[{"words":"\\","more":"x","filter":{"in":"i"}}],
        "flat":{"tag":"t","limit":1}}"#;
    assert_eq!(
        text(&tools, "queries", arguments),
        "Query { words: \"w\", copied: None, not: [Words(\"\\\"n\\\"\"), Words(\"m\")], \
         filter: Some(By { author: \"a\" }), more: 1 } [Query { words: \"\\\\\", copied: None, \
         not: [], filter: Some(In(\"i\")), more: Some(Words(\"x\")) }] \
         Some(Flat { filter: Tag { tag: \"t\" }, limit: 1 })"
    );
    assert!(
        schema(&tools).contains(r#""words":{"type":"string","description":"What to look for."}"#)
    );
    assert_eq!(
        text(
            &tools,
            "queries",
            r#"{"one":{"words":1,"more":1},"all":[]}"#
        ),
        "arguments.one.words: expected a string, got 1"
    );
}

/// Where the texts of the last call stand, and how long they are.
static SEEN: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

fn see(text: &str) {
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    seen.push((text.as_ptr().addr(), text.len()));
}

/// Note where the texts stand.
#[tool]
async fn place(
    text: &str,
    cow: Cow<'_, str>,
    maybe: Option<&str>,
    maybe_cow: Option<Cow<'_, str>>,
    path: &Path,
    words: &[Words<'_>],
    query: Option<Query<'_, ()>>,
) {
    see(text);
    see(&cow);
    maybe.into_iter().for_each(see);
    maybe_cow.as_deref().into_iter().for_each(see);
    path.to_str().into_iter().for_each(see);
    for Words(text) in words {
        see(text);
    }
    if let Some(query) = query {
        see(&query.words);
    }
}

#[test]
fn texts_without_escapes_stand_in_the_call() {
    let tools = toolset![place];
    let tool = tools.find("place").expect("the set has the tool");
    let all = |text: &str| {
        format!(
            r#"{{"text":"{text}","cow":"{text}","maybe":"{text}","maybe_cow":"{text}",
                "path":"{text}","words":["{text}"],"query":{{"words":"{text}","more":null}}}}"#
        )
    };
    for (text, stands_in_call) in [("plain", 7), ("", 7), ("\\u0061b", 0), ("a\\nb", 0)] {
        let call = ToolCall::new("call_1", "place", all(text));
        let cx = ToolContext::default();
        let Call::Async(mut future) = tool.call(&call, &cx) else {
            panic!("it is an `async fn`");
        };
        let mut waker = Context::from_waker(Waker::noop());
        assert!(future.as_mut().poll(&mut waker).is_ready());
        let seen = std::mem::take(&mut *SEEN.lock().unwrap_or_else(PoisonError::into_inner));
        assert_eq!(seen.len(), 7);
        let whole = call.arguments.as_bytes().as_ptr_range();
        let whole = whole.start.addr()..whole.end.addr();
        let inside = seen.iter().filter(|(start, _)| whole.contains(start));
        assert_eq!(inside.count(), stands_in_call, "{text:?}");
    }
}
