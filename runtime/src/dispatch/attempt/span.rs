//! A span around every attempt of a call.

use tracing::{Instrument, Span, field::Empty, info_span};

use crate::dispatch::AttemptEnd;
use toolwright_core::tool::ToolContext;

/// Runs an attempt in a span with the attributes that OpenTelemetry gives to tool calls. What the
/// model wrote and what the tool answered is not in it.
pub(crate) async fn around<W: Future<Output = AttemptEnd>>(
    work: impl FnOnce() -> W,
    tool: &str,
    cx: &ToolContext,
) -> AttemptEnd {
    let span = info_span!(
        "execute_tool",
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = tool,
        gen_ai.tool.call.id = cx.call_id(),
        attempt = cx.attempt(),
        error.type = Empty,
    );
    // It starts in the span as well.
    let work = async { work().await };
    let ended = work.instrument(span.clone()).await;
    if let Err(error) = &ended.outcome {
        span.record("error.type", error.category.as_str());
    }
    ended
}

/// Work for another thread, in the span that is entered here.
pub(crate) fn here<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let span = Span::current();
    move || span.in_scope(work)
}

#[cfg(test)]
mod tests {
    use crate::dispatch::Dispatch as _;
    use std::{
        cell::Cell,
        fmt::{Debug, Write},
        sync::{Arc, Mutex, OnceLock},
    };

    use tracing::{
        Event, Metadata, Subscriber,
        field::{Field, Visit},
        span::{Attributes, Id, Record},
    };
    use tracing_core::span::Current;

    use toolwright_core::{
        Call, DynamicTool, Schema, Tool, ToolCall, ToolContext, ToolDefinition, ToolError,
        ToolOutput, ToolPolicy, Toolset, dynamic::Parameter,
    };

    /// Writes down the fields of every span.
    struct Notes(Arc<Mutex<String>>);

    struct Fields<'a>(&'a mut String);

    impl Visit for Fields<'_> {
        fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
            writeln!(self.0, "{field}={value:?}").expect("a text takes everything");
        }
    }

    impl Subscriber for Notes {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }

        fn new_span(&self, span: &Attributes<'_>) -> Id {
            span.record(&mut Fields(&mut self.0.lock().expect("nothing panics")));
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, values: &Record<'_>) {
            values.record(&mut Fields(&mut self.0.lock().expect("nothing panics")));
        }

        fn record_follows_from(&self, _: &Id, _: &Id) {}

        fn event(&self, _: &Event<'_>) {}

        fn enter(&self, _: &Id) {}

        fn exit(&self, _: &Id) {}
    }

    #[tokio::test]
    async fn a_span_names_the_tool_and_the_call_and_none_of_the_contents() {
        let tool = DynamicTool::builder("look_up", "Looks something up in a book.")
            .required("password", Parameter::string())
            .build(async |_: ToolCall, _| Err::<ToolOutput, _>(ToolError::not_found("a secret")));
        let tools = Toolset::new().with(tool.expect("is a tool")).expect("one");
        let notes = Arc::new(Mutex::new(String::new()));
        let calls = [ToolCall::new("call_7", "look_up", r#"{"password":"x"}"#)];
        let _notes = tracing::subscriber::set_default(Notes(Arc::clone(&notes)));
        tools.dispatch(&calls).await;
        let notes = notes.lock().expect("nothing panics");
        for expected in [
            r#"gen_ai.operation.name="execute_tool""#,
            r#"gen_ai.tool.name="look_up""#,
            r#"gen_ai.tool.call.id="call_7""#,
            "attempt=1",
            r#"error.type="resourceNotFound""#,
        ] {
            assert!(notes.contains(expected), "{notes}");
        }
        assert!(
            !notes.contains("secret") && !notes.contains("password"),
            "{notes}"
        );
    }

    thread_local! {
        static INSIDE: Cell<bool> = const { Cell::new(false) };
    }

    /// Knows on which threads its one span is entered.
    #[derive(Default)]
    struct Whereabouts(OnceLock<&'static Metadata<'static>>);

    impl Subscriber for Whereabouts {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }

        fn new_span(&self, span: &Attributes<'_>) -> Id {
            self.0.get_or_init(|| span.metadata());
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, _: &Record<'_>) {}

        fn record_follows_from(&self, _: &Id, _: &Id) {}

        fn event(&self, _: &Event<'_>) {}

        fn enter(&self, _: &Id) {
            INSIDE.set(true);
        }

        fn exit(&self, _: &Id) {
            INSIDE.set(false);
        }

        fn current_span(&self) -> Current {
            match self.0.get() {
                Some(metadata) if INSIDE.get() => Current::new(Id::from_u64(1), metadata),
                _ => Current::none(),
            }
        }
    }

    /// Says whether it runs in the span.
    struct Inside(ToolDefinition, ToolPolicy);

    impl Inside {
        fn new(name: &'static str, policy: ToolPolicy) -> Self {
            let schema = Schema::from_text(r#"{"type":"object"}"#).expect("is JSON");
            Self(ToolDefinition::new(name, "Where am I?", schema), policy)
        }
    }

    impl Tool for Inside {
        fn definition(&self) -> &ToolDefinition {
            &self.0
        }

        fn policy(&self) -> ToolPolicy {
            self.1
        }

        fn call<'a>(&'a self, call: &'a ToolCall, cx: &'a ToolContext) -> Call<'a> {
            let inside = || ToolOutput::json(&INSIDE.get());
            match call.name.as_str() {
                "block" => Call::blocking(call, cx, move |_, _| inside()),
                _ => Call::future(async move { inside() }),
            }
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn a_span_is_entered_wherever_the_tool_runs() {
        let (plain, spawn) = (ToolPolicy::default(), ToolPolicy::default().with_spawn());
        let tools = [("wait", plain), ("spawn", spawn), ("block", plain)];
        let tools = tools
            .into_iter()
            .try_fold(Toolset::new(), |set, (name, policy)| {
                set.with(Inside::new(name, policy))
            });
        let calls = ["wait", "spawn", "block"].map(|name| ToolCall::new("", name, "{}"));
        let _whereabouts = tracing::subscriber::set_default(Whereabouts::default());
        let results = tools.expect("the names differ").dispatch(&calls).await;
        for (call, result) in calls.iter().zip(&results) {
            assert_eq!(result.to_model_text(), "true", "{}", call.name);
        }
    }
}
