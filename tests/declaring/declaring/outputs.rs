//! What a tool may return beyond values, in each form of a tool: images, parts, structured results,
//! streams of partial results.

use std::borrow::Cow;

use futures_util::stream::{self, Stream};
use toolwright::{
    ErrorCategory, Execute, Tool, ToolContext, ToolError, ToolInput, ToolOutput, Toolset,
    message::{Audio, Document, Image},
    testing::{self, Observed},
    tool,
    tool::{CallUpdate, Json, OutputPart, Updates},
    tools, toolset,
};

#[derive(serde::Serialize, ToolInput)]
struct Report {
    /// In degrees.
    highest: i64,
}

/// What may be missing in the schema may be left out where it is written.
#[derive(serde::Serialize, ToolInput)]
struct LeftOut {
    #[serde(skip_serializing_if = "Option::is_none")]
    one: Option<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    many: Vec<u8>,
    #[tool(range(1..=5))]
    #[serde(skip_serializing_if = "Option::is_none")]
    few: Option<u8>,
}

/// Return an object whose keys may all be missing.
#[tool]
fn left_out() -> Json<LeftOut> {
    Json(LeftOut {
        one: None,
        many: Vec::new(),
        few: None,
    })
}

#[test]
fn what_may_be_missing_may_be_left_out() {
    let tools = toolset![left_out];
    let schema = tools.definitions().next().unwrap().output_schema.as_ref();
    assert!(schema.unwrap().to_value().get("required").is_none());
    assert_eq!(super::text(&tools, "left_out", "{}"), "{}");
}

type Answer<T> = Result<Json<T>, std::io::Error>;
type Countdown = Updates<stream::Iter<std::vec::IntoIter<Result<String, ToolError>>>>;

fn png() -> Image {
    Image::from_bytes("image/png", [1, 2, 3])
}

fn mixed_output() -> Result<ToolOutput, ToolError> {
    let output = ToolOutput::text("see").with_json(&[1])?;
    Ok(output.with_image(png()).with_text("end"))
}

fn count(items: impl IntoIterator<Item = Result<&'static str, ToolError>>) -> Countdown {
    let items: Vec<_> = items
        .into_iter()
        .map(|item| item.map(str::to_owned))
        .collect();
    Updates(stream::iter(items))
}

fn broken() -> ToolError {
    ToolError::not_found("the clock stopped")
}

/// Declares one tool of each kind in each form: functions, methods, structs.
macro_rules! in_every_form {
    ($($name:ident $method:ident $struct:ident -> $output:ty = $value:expr;)*) => {
        $(
            /// Return what the table says.
            #[tool]
            async fn $name() -> Result<$output, ToolError> {
                Ok($value)
            }

            /// Return what the table says.
            #[derive(serde::Deserialize, Tool)]
            struct $struct {}

            impl Execute for $struct {
                type Output = $output;

                async fn execute(self, _: &ToolContext) -> Result<$output, ToolError> {
                    Ok($value)
                }
            }
        )*

        struct Methods;

        #[tools]
        impl Methods {
            $(
                /// Return what the table says.
                #[tool]
                async fn $method(&self) -> $output {
                    #[allow(clippy::unnecessary_wraps)]
                    fn value() -> Result<$output, ToolError> {
                        Ok($value)
                    }
                    value().unwrap()
                }
            )*
        }

        fn forms() -> Vec<(&'static str, [&'static str; 3])> {
            use toolwright::tool::StaticTool as _;
            vec![$((stringify!($name), [$name::NAME, stringify!($method), $struct::NAME])),*]
        }

        fn all() -> Toolset {
            let tools = toolset![$($name, $struct),*];
            tools.merge(Methods.into_tools()).expect("the names differ")
        }
    };
}

in_every_form! {
    text m_text SText -> String = "plain".to_owned();
    borrowed m_borrowed SBorrowed -> &'static str = "plain";
    cow m_cow SCow -> Cow<'static, str> = Cow::Borrowed("plain");
    boxed_str m_boxed_str SBoxedStr -> Box<str> = Box::from("plain");
    boxed m_boxed SBoxed -> Box<String> = Box::new("plain".to_owned());
    some m_some SSome -> Option<String> = Some("plain".to_owned());
    none m_none SNone -> Option<String> = None;
    nothing m_nothing SNothing -> () = ();
    value m_value SValue -> Vec<u8> = vec![1, 2];
    image m_image SImage -> Image = png();
    document m_document SDocument -> Document = Document::from_bytes("text/plain", "hi");
    audio m_audio SAudio -> Audio = Audio::from_bytes("audio/wav", "RIFF");
    part m_part SPart -> OutputPart = OutputPart::Text("one".to_owned());
    mixed m_mixed SMixed -> ToolOutput = mixed_output()?;
    json m_json SJson -> Json<Report> = Json(Report { highest: 31 });
    json_text m_json_text SJsonText -> Json<String> = Json("quoted".to_owned());
    json_list m_json_list SJsonList -> Json<Vec<i64>> = Json(vec![1]);
    updates m_updates SUpdates -> Countdown = count([Ok("2"), Ok("1"), Ok("0")]);
    no_updates m_no_updates SNoUpdates -> Countdown = count([]);
}

#[tokio::test]
async fn each_kind_of_output_is_the_same_in_each_form() {
    let text = |text: &str| OutputPart::Text(text.to_owned());
    let json = |text: &str| OutputPart::Json(text.to_owned());
    let plain = vec![text("plain")];
    let expected = [
        ("text", plain.clone()),
        ("borrowed", plain.clone()),
        ("cow", plain.clone()),
        ("boxed_str", plain.clone()),
        ("boxed", plain.clone()),
        // As the string without the option: quotes around a word would be all that tells them apart.
        ("some", plain),
        ("none", vec![json("null")]),
        ("nothing", vec![]),
        ("value", vec![json("[1,2]")]),
        ("image", vec![OutputPart::Image(png())]),
        (
            "document",
            vec![OutputPart::Document(Document::from_bytes(
                "text/plain",
                "hi",
            ))],
        ),
        (
            "audio",
            vec![OutputPart::Audio(Audio::from_bytes("audio/wav", "RIFF"))],
        ),
        ("part", vec![text("one")]),
        (
            "mixed",
            vec![
                text("see"),
                json("[1]"),
                OutputPart::Image(png()),
                text("end"),
            ],
        ),
        ("json", vec![json(r#"{"highest":31}"#)]),
        ("json_text", vec![json(r#""quoted""#)]),
        ("json_list", vec![json("[1]")]),
        ("updates", vec![text("0")]),
        ("no_updates", vec![]),
    ];
    let (tools, forms) = (all(), forms());
    assert_eq!(forms.len(), expected.len());
    for ((kind, names), (expected_kind, parts)) in forms.into_iter().zip(expected) {
        assert_eq!(kind, expected_kind);
        for name in names {
            let output = testing::call(&tools, name, serde_json::json!({})).await;
            assert_eq!(output.expect(name).parts, parts, "{name}");
        }
    }
}

#[test]
fn only_an_object_in_json_has_a_schema() {
    let tools = all();
    for (kind, names) in forms() {
        for name in names {
            let definition = tools.find(name).expect(name).definition();
            let schema = definition.output_schema.as_ref().map(|schema| {
                let schema = schema.as_str();
                assert!(schema.contains("In degrees."), "{schema}");
            });
            assert_eq!(schema.is_some(), kind == "json", "{name}");
        }
    }
}

/// Return a structured value, under another name.
#[tool]
#[allow(clippy::unnecessary_wraps)]
fn by_alias() -> Answer<Report> {
    Ok(Json(Report { highest: 1 }))
}

#[test]
fn an_alias_has_a_schema_too() {
    let tools = toolset![by_alias];
    let definition = tools.definitions().next().unwrap();
    let schema = definition.output_schema.as_ref().unwrap();
    assert_eq!(
        schema.as_str(),
        r#"{"type":"object","properties":{"highest":{"type":"integer","description":"In degrees."}},"required":["highest"]}"#
    );
    let stored = serde_json::to_string(definition).unwrap();
    let read: toolwright::ToolDefinition = serde_json::from_str(&stored).unwrap();
    assert_eq!(&read, definition);
}

/// Count down, and fail on the way.
#[tool]
async fn failing_updates() -> Countdown {
    count([Ok("2"), Err(broken()), Ok("0")])
}

/// Count with what the context holds.
#[tool]
async fn borrowing_updates(
    #[context] cx: &ToolContext,
) -> Updates<impl Stream<Item = Result<String, ToolError>>> {
    Updates(stream::iter([1, 2]).then_each(cx))
}

/// A stream that borrows from the context.
trait ThenEach: Stream<Item = u8> + Sized + Send {
    fn then_each(self, cx: &ToolContext) -> impl Stream<Item = Result<String, ToolError>> + Send {
        use futures_util::StreamExt as _;
        self.map(move |item| Ok(format!("{} {item}", cx.call_id())))
    }
}

impl<S: Stream<Item = u8> + Send> ThenEach for S {}

fn partial(texts: &[&str]) -> Vec<CallUpdate> {
    let partial = |text: &&str| CallUpdate::Partial(ToolOutput::text(*text));
    texts.iter().map(partial).collect()
}

async fn observe(tools: &Toolset, name: &str) -> Observed {
    testing::observe(tools, name, serde_json::json!({})).await
}

#[tokio::test]
async fn every_item_is_published_and_the_last_is_the_result() {
    let tools = all();
    for name in ["updates", "m_updates", "s_updates"] {
        let observed = observe(&tools, name).await;
        assert_eq!(observed.updates, partial(&["2", "1", "0"]), "{name}");
        assert_eq!(observed.outcome, Ok(ToolOutput::text("0")), "{name}");
    }
    assert_eq!(observe(&tools, "no_updates").await.updates, []);
}

#[tokio::test]
async fn an_error_ends_the_stream() {
    let observed = observe(&toolset![failing_updates], "failing_updates").await;
    assert_eq!(observed.updates, partial(&["2"]));
    assert_eq!(
        observed.outcome.unwrap_err().category,
        ErrorCategory::ResourceNotFound
    );
}

#[tokio::test]
async fn a_stream_may_borrow_from_the_context() {
    let observed = observe(&toolset![borrowing_updates], "borrowing_updates").await;
    assert_eq!(observed.updates, partial(&["test 1", "test 2"]));
}

#[test]
fn what_a_model_reads_says_that_there_are_images() {
    let result = |output| toolwright::ToolResult::success("a", output);
    for (output, text) in [
        (ToolOutput::image(png()), "(1 image)"),
        (
            mixed_output().unwrap().with_image(png()),
            "see\n[1]\nend\n(2 images)",
        ),
    ] {
        assert_eq!(result(output).to_model_text(), text);
    }
}

/// Fail below a context.
#[tool]
async fn by_anyhow() -> anyhow::Result<u8> {
    use anyhow::Context as _;
    Err(broken()).context("reading the secret clock")
}

/// Fail below a context.
#[tool]
fn by_eyre() -> eyre::Result<u8> {
    use eyre::WrapErr as _;
    Err(broken()).wrap_err("reading the secret clock")
}

#[tokio::test]
async fn what_is_thrown_through_a_report_stays_what_it_is() {
    let tools = toolset![by_anyhow, by_eyre];
    for name in ["by_anyhow", "by_eyre"] {
        let mut error = observe(&tools, name).await.outcome.unwrap_err();
        let log = error.log.take().unwrap();
        assert_eq!(log, "reading the secret clock: the clock stopped", "{name}");
        assert!(!error.to_model_text().contains("secret"));
        assert_eq!(error, broken());
    }
}
