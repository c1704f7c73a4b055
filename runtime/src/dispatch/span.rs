//! A span around every attempt of a call.

use tracing::{Instrument, field::Empty, info_span};

use super::Outcome;
use crate::tool::ToolContext;

/// Runs an attempt in a span with the attributes that OpenTelemetry gives to tool calls. What the
/// model wrote and what the tool answered is not in it.
pub(super) async fn around(
    work: impl Future<Output = Outcome>,
    tool: &str,
    cx: &ToolContext,
) -> Outcome {
    let span = info_span!(
        "execute_tool",
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = tool,
        gen_ai.tool.call.id = cx.call_id(),
        attempt = cx.attempt(),
        error.type = Empty,
    );
    let outcome = work.instrument(span.clone()).await;
    if let Err(error) = &outcome {
        span.record("error.type", error.category.as_str());
    }
    outcome
}

#[cfg(test)]
mod tests {
    use std::{
        fmt::{Debug, Write},
        sync::{Arc, Mutex},
    };

    use tracing::{
        Event, Metadata, Subscriber,
        field::{Field, Visit},
        span::{Attributes, Id, Record},
    };

    use crate::{DynamicTool, ToolCall, ToolError, ToolOutput, Toolset, dynamic::Parameter};

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
}
