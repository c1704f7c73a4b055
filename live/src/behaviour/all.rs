//! The list of behaviours.

use toolwright::{
    Toolset,
    message::{Document, Image, Part, UserMessage},
    model::{ModelErrorKind, ModelSettings, PromptCaching, ProviderTool, ToolChoice, WebSearch},
    run::Finish,
    tool::{Strict, TextInput},
    toolset,
};

use super::{
    Ask, Behaviour, Cancel, Seen, Way, Wrong, expect,
    tools::{find_train, get_time, get_weather, query, read_report, read_stock},
};

/// A picture of one red pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";

/// A document of one page, with the words "Order 4711".
const PDF: &str = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 50]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj\n4 0 obj<</Length 41>>stream\nBT /F1 12 Tf 10 20 Td (Order 4711) Tj ET\nendstream endobj\n5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n";

const WHOLE: &[Way] = &[Way::Whole];
const STREAMED: &[Way] = &[Way::Streamed];
const BOTH: &[Way] = &[Way::Whole, Way::Streamed];

fn ask(question: impl Into<UserMessage>) -> Ask {
    Ask {
        turns: vec![question.into()],
        system: "Be brief.",
        tools: Toolset::new(),
        choice: ToolChoice::Auto,
        settings: ModelSettings::new().with_max_output_tokens(2_000),
        is_typed: false,
        wrong: None,
        cancel: None,
    }
}

fn with(question: &str, tools: Toolset) -> Ask {
    let tools = tools;
    Ask {
        tools,
        ..ask(question)
    }
}

fn set(question: &str, change: impl FnOnce(ModelSettings) -> ModelSettings) -> Ask {
    let asked = ask(question);
    let settings = change(asked.settings);
    Ask { settings, ..asked }
}

const WEATHER: &str = "What is the weather in Oslo? Use the tool.";

/// All behaviours, in the order in which they are tried.
pub(crate) const ALL: &[Behaviour] = &[
    Behaviour {
        name: "text",
        ways: BOTH,
        ask: || ask("Say hello."),
        holds: Seen::answered,
    },
    Behaviour {
        name: "text in pieces",
        ways: STREAMED,
        ask: || ask("Count from 1 to 20, in words."),
        holds: |seen| expect(seen.pieces > 1, || format!("{} pieces", seen.pieces)),
    },
    Behaviour {
        name: "system text",
        ways: WHOLE,
        ask: || Ask {
            system: "Answer each message with the word PARROT.",
            ..ask("Hello.")
        },
        holds: |seen| seen.says("parrot"),
    },
    Behaviour {
        name: "characters of many scripts",
        ways: BOTH,
        ask: || ask("Repeat exactly: \u{c9}t\u{e9} \u{6771}\u{4eac} \u{1f980}"),
        holds: |seen| seen.says("\u{6771}\u{4eac} \u{1f980}"),
    },
    Behaviour {
        name: "conversation",
        ways: BOTH,
        ask: || Ask {
            turns: vec!["My name is Ada.".into(), "What is my name?".into()],
            ..ask("")
        },
        holds: |seen| seen.says("ada"),
    },
    Behaviour {
        name: "output cut at its limit",
        ways: BOTH,
        ask: || {
            set("Write a poem of 40 lines.", |it| {
                it.with_max_output_tokens(20)
            })
        },
        holds: |seen| {
            let finish = &seen.outcome.finish;
            expect(*finish == Finish::Truncated, || finish.to_string())
        },
    },
    Behaviour {
        name: "stop sequence",
        ways: WHOLE,
        ask: || {
            set("Write: one two three four", |it| {
                it.with_stop_sequences(["three"])
            })
        },
        holds: |seen| {
            seen.answered()?;
            expect(!seen.outcome.text.contains("three"), || {
                seen.outcome.text.clone()
            })
        },
    },
    Behaviour {
        name: "usage",
        ways: BOTH,
        ask: || ask("Say hello."),
        holds: |seen| {
            let usage = &seen.outcome.usage;
            let is_counted = usage.input_tokens > 0 && usage.output_tokens > 0;
            expect(is_counted, || format!("{usage:?}"))
        },
    },
    Behaviour {
        name: "call",
        ways: BOTH,
        ask: || with(WEATHER, toolset![get_weather]),
        holds: |seen| seen.called(1, 1),
    },
    Behaviour {
        name: "call without arguments",
        ways: BOTH,
        ask: || with("What time is it? Use the tool.", toolset![get_time]),
        holds: |seen| seen.called(1, 1),
    },
    Behaviour {
        name: "nested arguments",
        ways: BOTH,
        ask: || {
            with(
                "Find a train to Oslo in Norway for 2, business.",
                toolset![find_train],
            )
        },
        holds: |seen| seen.called(1, 1),
    },
    Behaviour {
        name: "parallel calls",
        ways: BOTH,
        ask: || {
            with(
                "What is the weather in Oslo, and what time is it? Call both tools at once.",
                toolset![get_weather, get_time],
            )
        },
        holds: |seen| seen.called(2, 1),
    },
    Behaviour {
        name: "calls one after the other",
        ways: WHOLE,
        ask: || {
            let asked = with(
                "First get the time, then, when you know it, the weather in Oslo.",
                toolset![get_time, get_weather],
            );
            let settings = asked.settings.clone().with_parallel_tool_calls(false);
            Ask { settings, ..asked }
        },
        holds: |seen| seen.called(2, 2),
    },
    Behaviour {
        name: "error of a tool",
        ways: BOTH,
        ask: || {
            with(
                "Read the stock of the shop Moon. Say if it does not exist.",
                toolset![read_stock],
            )
        },
        holds: |seen| seen.called(1, 1),
    },
    Behaviour {
        name: "long result",
        ways: WHOLE,
        ask: || {
            with(
                "What is the total in the report of 2024?",
                toolset![read_report],
            )
        },
        holds: |seen| seen.says("4711"),
    },
    Behaviour {
        name: "required call",
        ways: BOTH,
        ask: || Ask {
            choice: ToolChoice::Required,
            ..with("Hello.", toolset![get_time])
        },
        holds: |seen| seen.called(1, 1),
    },
    Behaviour {
        name: "call of a tool by its name",
        ways: WHOLE,
        ask: || Ask {
            choice: ToolChoice::Tool("get_time".into()),
            ..with("Hello.", toolset![get_weather, get_time])
        },
        holds: |seen| seen.called(1, 1),
    },
    Behaviour {
        name: "no call allowed",
        ways: WHOLE,
        ask: || Ask {
            choice: ToolChoice::None,
            ..with("Say hello.", toolset![get_time])
        },
        holds: |seen| {
            seen.answered()?;
            expect(seen.calls() == 0, || format!("{} calls", seen.calls()))
        },
    },
    Behaviour {
        name: "strict tool",
        ways: BOTH,
        ask: || {
            with(
                "Find a train to Oslo in Norway for 2, business.",
                toolset![find_train].strict(Strict::Portable),
            )
        },
        holds: |seen| seen.called(1, 1),
    },
    Behaviour {
        name: "tool whose input is text",
        ways: WHOLE,
        ask: || {
            let tools = toolset![query].with_text_input("query", TextInput::new());
            with(
                "How many orders are there? Query the table `orders`.",
                tools.expect("it has one argument"),
            )
        },
        holds: |seen| seen.called(1, 1),
    },
    Behaviour {
        name: "tool on demand",
        ways: WHOLE,
        ask: || with(WEATHER, toolset![get_weather].deferred(|_| true)),
        holds: |seen| seen.called(1, 1),
    },
    Behaviour {
        name: "typed answer",
        ways: BOTH,
        ask: || Ask {
            is_typed: true,
            ..ask("What is the capital of Norway?")
        },
        holds: |seen| expect(seen.place.is_some(), || seen.outcome.finish.to_string()),
    },
    Behaviour {
        name: "typed answer after a call",
        ways: BOTH,
        ask: || Ask {
            is_typed: true,
            ..with(
                "Get the weather in Oslo, then say in which place that is.",
                toolset![get_weather],
            )
        },
        holds: |seen| {
            expect(seen.place.is_some() && seen.calls() > 0, || {
                seen.outcome.finish.to_string()
            })
        },
    },
    Behaviour {
        name: "image",
        ways: WHOLE,
        ask: || {
            let image = Image::Base64 {
                media_type: "image/png".into(),
                data: PNG.into(),
            };
            ask(UserMessage::new([
                Part::Text("Which colour is this? One word.".into()),
                Part::Image(image),
            ]))
        },
        holds: |seen| seen.says("red"),
    },
    Behaviour {
        name: "document",
        ways: WHOLE,
        ask: || {
            let document = Document::from_bytes("application/pdf", PDF).with_name("order.pdf");
            ask(UserMessage::new([
                Part::Text("Which number has the order?".into()),
                Part::Document(document),
            ]))
        },
        holds: |seen| seen.says("4711"),
    },
    Behaviour {
        name: "cache",
        ways: WHOLE,
        ask: || {
            let long = "This is a rule of the house. ".repeat(400) + "Say hello.";
            let asked = set("", |it| it.with_prompt_caching(PromptCaching::FiveMinutes));
            Ask {
                turns: vec![long.into(), "Say it again.".into()],
                ..asked
            }
        },
        holds: |seen| {
            seen.answered()?;
            let cached = seen.outcome.usage.cached_input_tokens;
            expect(cached.is_some_and(|it| it > 0), || {
                format!("{cached:?} cached tokens")
            })
        },
    },
    Behaviour {
        name: "reasoning",
        ways: BOTH,
        ask: || {
            set("Which is larger, 9.9 or 9.11?", |it| {
                it.with_reasoning_effort("low")
            })
        },
        holds: |seen| seen.says("9.9"),
    },
    Behaviour {
        name: "reasoning with a call",
        ways: BOTH,
        ask: || {
            let asked = with(WEATHER, toolset![get_weather]);
            let settings = asked.settings.clone().with_reasoning_effort("low");
            Ask { settings, ..asked }
        },
        holds: |seen| seen.called(1, 1),
    },
    Behaviour {
        name: "web search of the provider",
        ways: WHOLE,
        ask: || {
            set("Search the web for the newest release of Rust.", |it| {
                it.with_provider_tool(WebSearch::new().with_max_uses(1))
            })
        },
        holds: Seen::answered,
    },
    Behaviour {
        name: "code of the provider",
        ways: WHOLE,
        ask: || {
            set("Compute 12345 * 6789 with code.", |it| {
                it.with_provider_tool(ProviderTool::CodeExecution)
            })
        },
        holds: |seen| {
            let digits = seen.outcome.text.replace([',', '.', ' ', '\u{202f}'], "");
            expect(digits.contains("83810205"), || {
                seen.outcome.finish.to_string()
            })
        },
    },
    Behaviour {
        name: "wrong key",
        ways: BOTH,
        ask: || Ask {
            wrong: Some(Wrong::Key),
            ..ask("Say hello.")
        },
        holds: |seen| seen.failed(ModelErrorKind::Authentication),
    },
    Behaviour {
        name: "unknown model",
        ways: WHOLE,
        ask: || Ask {
            wrong: Some(Wrong::Model),
            ..ask("Say hello.")
        },
        holds: |seen| seen.failed(ModelErrorKind::InvalidRequest),
    },
    Behaviour {
        name: "setting that is refused",
        ways: WHOLE,
        ask: || set("Say hello.", |it| it.with_temperature(99.0)),
        holds: |seen| seen.failed(ModelErrorKind::InvalidRequest),
    },
    Behaviour {
        name: "context that is too long",
        ways: WHOLE,
        ask: || ask("one two three ".repeat(900_000)),
        holds: |seen| seen.failed(ModelErrorKind::ContextTooLong),
    },
    Behaviour {
        name: "cancelled at once",
        ways: BOTH,
        ask: || Ask {
            cancel: Some(Cancel::AtOnce),
            ..ask("Count from 1 to 100, in words.")
        },
        holds: |seen| {
            expect(seen.outcome.finish == Finish::Cancelled, || {
                seen.outcome.finish.to_string()
            })
        },
    },
    Behaviour {
        name: "cancelled at the first text",
        ways: STREAMED,
        ask: || Ask {
            cancel: Some(Cancel::AtFirstText),
            ..ask("Count from 1 to 100, in words.")
        },
        holds: |seen| {
            expect(seen.outcome.finish == Finish::Cancelled, || {
                seen.outcome.finish.to_string()
            })
        },
    },
];
