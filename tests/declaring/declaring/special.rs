//! Context parameters, functions that block, keys of the item, and the type beside the function.

use toolwright::{
    Tool as _, ToolCall, ToolContext, ToolError, tool,
    tool::{Call, CancellationToken, FromContext, StaticTool as _},
    toolset,
};

use super::{run, run_in, text};

struct Tenant(u32);

/// A type of an application, taken out of the context.
struct CurrentTenant<'cx>(&'cx Tenant);

impl<'cx> FromContext<'cx> for CurrentTenant<'cx> {
    fn from_context(cx: &'cx ToolContext) -> Result<Self, ToolError> {
        cx.require().map(CurrentTenant)
    }
}

/// Say who is asking.
#[tool]
async fn who(
    #[context] tenant: CurrentTenant<'_>,
    greeting: String,
    #[context] cx: &ToolContext,
    #[context] stop: CancellationToken,
) -> String {
    let stopped = stop.is_cancelled();
    format!("{greeting} {} {} {stopped}", tenant.0.0, cx.call_id())
}

/// Say who is asking, on a thread of its own.
#[tool]
fn who_blocks(#[context] tenant: CurrentTenant<'_>, #[context] cx: ToolContext) -> String {
    format!("{} {}", tenant.0.0, cx.call_id())
}

#[test]
fn the_context_is_taken_by_its_trait() {
    let tools = toolset![who, who_blocks];
    let cx = ToolContext::new("call_9").with_extension(Tenant(7));
    let run = |name, arguments| {
        let output = run_in(&tools, name, arguments, &cx).unwrap();
        output.to_text().into_owned()
    };
    assert_eq!(run("who", r#"{"greeting":"hi"}"#), "hi 7 call_9 false");
    assert_eq!(run("who_blocks", ""), "7 call_9");
}

#[test]
fn what_the_context_lacks_is_an_error_of_the_call() {
    let error = run(&toolset![who_blocks], "who_blocks", "").unwrap_err();
    assert!(error.log.unwrap().contains("Tenant"));
}

#[test]
fn the_model_is_not_told_of_the_context() {
    let schema = who::input().to_schema();
    assert_eq!(
        schema.as_str(),
        r#"{"type":"object","properties":{"greeting":{"type":"string"}},"required":["greeting"],"additionalProperties":false}"#
    );
}

#[test]
fn only_a_function_that_is_not_async_blocks() {
    let tools = toolset![who, who_blocks];
    let (call, cx) = (ToolCall::new("", "", "{}"), ToolContext::default());
    let kind = |name| match tools.find(name).unwrap().call(&call, &cx) {
        Call::Async(_) => "async",
        Call::Blocking(_) => "blocking",
        Call::Layered(_) => "layered",
    };
    assert_eq!((kind("who"), kind("who_blocks")), ("async", "blocking"));
}

const DESCRIPTION: &str = "  Said by a constant.\n";

/// Not this one.
#[tool(name = "renamed", description = DESCRIPTION)]
fn by_constant() {}

#[tool(description = concat!("Put together ", "by a macro."), crate = ::toolwright)]
fn by_macro() {}

#[tool(description = include_str!("description.txt"))]
fn by_file() {}

#[doc = include_str!("description.txt")]
#[tool]
/// A last line.
///
/// # Panics
///
/// Not told.
fn by_doc_file() {}

/// First line,
/// second line.
#[allow(unused)]
///
/// A paragraph.
///
/// # Errors
///
/// Not for the model.
#[tool]
fn paragraphs() {}

#[test]
fn a_description_comes_from_many_places() {
    assert_eq!(
        (by_constant::NAME, by_constant::DESCRIPTION),
        ("renamed", "Said by a constant.")
    );
    assert_eq!(by_macro::DESCRIPTION, "Put together by a macro.");
    assert_eq!(by_file::DESCRIPTION, "Said by a file.");
    assert_eq!(by_doc_file::DESCRIPTION, "Said by a file.\n\nA last line.");
    assert_eq!(
        paragraphs::DESCRIPTION,
        "First line,\nsecond line.\n\nA paragraph."
    );
}

#[test]
fn the_definition_is_made_once() {
    let tools = toolset![by_macro];
    let again = toolset![by_macro];
    let definitions = [&tools, &again].map(|tools| tools.definitions().next().unwrap());
    assert!(std::ptr::eq(definitions[0], definitions[1]));
}

#[test]
fn the_function_stays_a_function() {
    by_constant();
    assert_eq!(text(&toolset![by_constant], "renamed", ""), "");
}

/// Take what the application put in.
#[tool]
async fn owner(
    #[context] cloned: tool::Extension<String>,
    #[context] borrowed: tool::ExtensionRef<'_, u8>,
) -> String {
    std::future::ready(()).await;
    format!("{} {}", cloned.to_uppercase(), borrowed.0 + 1)
}

#[test]
fn an_extension_is_a_parameter() {
    let tools = toolset![owner];
    let cx = ToolContext::default()
        .with_extension("ada".to_owned())
        .with_extension(6_u8);
    let output = run_in(&tools, "owner", "", &cx).expect("both are there");
    assert_eq!(output.to_text(), "ADA 7");
    let error = run_in(&tools, "owner", "", &ToolContext::default());
    let error = error.expect_err("none is there");
    assert_eq!(error.message, "the tool failed with an internal error");
}
