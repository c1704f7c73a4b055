//! Tools for models without tool calling, and the calls that models write as text.
//!
//! [`Emulated`] is a model around another one, used like any other:
//!
//! ```
//! use toolwright::{
//!     ModelResponse, Runner, emulation::{Emulated, ToolEmulation}, testing::ScriptedModel, tool, toolset,
//! };
//!
//! /// Get the current weather in a city.
//! #[tool(read_only)]
//! async fn get_weather(city: String) -> String {
//!     format!("light rain in {city}")
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // It only writes text.
//! let model = ScriptedModel::new([
//!     ModelResponse::from_text(r#"{"tools": [{"name": "get_weather", "arguments": {"city": "Oslo"}}]}"#),
//!     ModelResponse::from_text(r#"{"tools": []}"#),
//!     ModelResponse::from_text("Take a coat: it rains in Oslo."),
//! ]);
//! let model = Emulated::new(model, ToolEmulation::Force);
//! let runner = Runner::builder(model).tools(toolset![get_weather]).build()?;
//! let outcome = runner.run("Do I need a coat in Oslo?").await?;
//! assert_eq!(outcome.text, "Take a coat: it rains in Oslo.");
//! assert_eq!((outcome.rounds, outcome.requests), (1, 3));
//! # Ok(())
//! # }
//! ```
//!
//! # Modes and their requests
//!
//! | Mode | A response with calls | A response without | When to use it |
//! | --- | --- | --- | --- |
//! | [`Off`](ToolEmulation::Off) | 1 | 1 | the model calls natively |
//! | [`Fallback`](ToolEmulation::Fallback) | 1 if they are native, or in its text; else 2 | 2; 1 once the model has called | it is not known, or the server's reading of calls is unreliable |
//! | [`Force`](ToolEmulation::Force) | 1 | 2 | the model has no tool calling |
//!
//! - A request whose `tool_choice` is `None` takes 1 in every mode.
//! - A decision that is not usable is asked for once more, which counts.
//! - A `tool_choice` that needs a call is enforced, also on a model that is known to call: in `Fallback` a response without
//!   that call takes 2, or 3 if the decision is not usable. It is held back until the call begins.
//! - A server that refuses tools, or an answer schema, costs one request more, once for each [`ModelMemory`].
//! - In `Fallback` a model that is known not to call costs what `Force` costs.
//! - In `Fallback` a response is held back until it is decided, as long as nothing is known of the model. A native call, or
//!   a call in its text, teaches what it is; so does a decision that calls a tool where the model itself has not.
//! - A native reply that was held back is the answer if the request for a decision fails. If `tool_choice` needs a
//!   call, the error is that of the request, with the response in [`ModelError::partial`](crate::ModelError::partial).
//! - [`ModelResponse::requests`](crate::ModelResponse::requests) and
//!   [`RunOutcome::requests`](crate::run::RunOutcome::requests) say how many requests were sent, and the usage is their sum.
//!
//! # Warnings
//!
//! | Code | Meaning |
//! | --- | --- |
//! | `tool_calls_emulated` | the calls of the response were read from text |
//! | `arguments_changed` | arguments were set right: see [`Emulated::with_leniency`] |
//! | `decision_failed` | the request for a decision failed, and the response is the native reply, without calls |
//! | `decision_not_usable` | a decision was not usable twice; the calls in it that are, if any, were used |
//! | `calls_refused` | the model wrote calls that cannot run: of a tool that is not there or may not be called, or that cannot be read. Each is answered by an error that the model reads, or the model is asked once more |
//! | `calls_left_out` | calls were not used: in an answer where none may be, which has them as text; more than one where one was allowed; or native ones of another tool than the chosen one |
//! | `reasoning_shown` | streamed text turned out to be reasoning; see [`ModelFacts::opens_reasoning`] |
//!
//! Calls cannot be streamed. What a model writes that looks like a call in an answer after it has decided on none is text
//! of that answer.
//!
//! # Calls in text
//!
//! A model without native tool calling writes its calls in the text of its response, in a format of its own:
//! `<tool_call>{"name": …}</tool_call>`, `[get_weather(city="Oslo")]`, and many others. So does a model whose server
//! does not know its format. [`ToolText`] reads them.
//!
//! ```
//! use toolwright::{ToolDefinition, emulation::ToolText, schema::Schema};
//!
//! let schema = Schema::from_text(r#"{"type": "object", "properties": {"city": {"type": "string"}}}"#)?;
//! let tools = vec![ToolDefinition::new("get_weather", "The weather.", schema)];
//! let parser = ToolText::new(&tools.into());
//!
//! let reply = parser.parse(
//!     "<think>I need the weather.</think>Let me look.\n\
//!      <tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}</tool_call>",
//! );
//! assert_eq!(reply.calls[0].name, "get_weather");
//! assert_eq!(reply.calls[0].arguments, r#"{"city": "Oslo"}"#);
//! assert_eq!(reply.text, "Let me look.");
//! assert_eq!(reply.reasoning, "I need the weather.");
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! # What is a call
//!
//! Who writes the text decides first: [`TextSource`].
//!
//! | In the text of a model that is not known to call natively | Result |
//! | --- | --- |
//! | a call with a marker of its format (`<tool_call>`, `[TOOL_CALLS]`, `Action:`), on lines of its own | a call |
//! | the same on a line with whole sentences: behind one that has ended, or in front of a new one | a call |
//! | the same in a sentence: words before it that do not end one, or words behind it that go on; behind a colon with more text behind it; in an item of a list | text |
//! | a call with a token (`[TOOL_CALLS]`) and nothing behind it, behind a last line that is an item of a list with words, or that ends with `)`, a backquote or a letter without case | a call |
//! | a call without a marker, as JSON or as a list of calls of Python, on lines of its own or alone in a code block, of a tool that only reads | a call |
//! | a single `f(a=1)` of a tool that only reads, which is the whole text | a call |
//! | a call without a marker of any other tool | text |
//! | a call without a marker that has words on its line | text |
//! | a call behind `>`; without a token, behind two spaces or a tab | text |
//! | a call in a code block with text before and behind it, or with more than calls in it; in code within a line | text |
//! | JSON with other keys than those of a call, or with the name of a tool as its key, without a marker | text |
//! | JSON that fits the schema of the answer ([`ToolText::with_answer_schema`]), without a marker | text |
//! | a marker that no call follows | text |
//! | a call of an undeclared name (also one in another case), or one that cannot be read, in the place of a call | refused: [`RefusedCall`]; without a marker it is text as well |
//! | a call that the text cuts off | refused: nothing is completed |
//! | a call in reasoning | a draft: reasoning |
//!
//! The text of a model that is known to call natively is never a call, and neither is an answer in which no call may
//! be; the tokens around an answer are dropped, and so are messages that are made up behind it. A response to a request for a decision is one with
//! markers or without, of any tool; what it has without markers is a draft if it has others with them.
//!
//! A tool only reads if its definition says so: [`ToolHints::read_only`](crate::tool::ToolHints::read_only), which
//! `#[tool(read_only)]` sets. Nothing that is no call is lost: it is given back as it was written. Arguments that are nearly
//! JSON are repaired by [`repair_json`](crate::arguments::repair_json), or refused.
//!
//! Values are not changed to fit the schema: [`Leniency`](crate::arguments::Leniency) does that, where it is on. Values
//! that a format writes as bare text take the type that the schema declares.
//!
//! # Formats
//!
//! Hermes, Qwen 2.5 and 3, Qwen3-Coder, Nemotron, GLM 4.5, `LongCat`, ERNIE, Llama 3 and 4, Mistral v1 to v13,
//! `DeepSeek` V3, R1, V3.1 and V3.2, Step 3, Kimi K2, Granite, Phi-4, Hunyuan, Jamba, `MiniMax` M1 and M2, Command R and
//! A, `InternLM` 2, Apertus, `GigaChat` 3, Gemma 3 and 4, `FunctionGemma`, LFM2, Olmo 3, Seed-OSS, Functionary, Harmony
//! (gpt-oss), xLAM, XML as for Claude, `ReAct`, and JSON in all usual shapes. They are not chosen: each text may have
//! another one, and [`TextCalls::format`] says which it was.

pub use toolwright_emulation::{
    CallForm, Emulated, InMemory, ModelFacts, ModelMemory, RefusalReason, RefusedCall, TextCalls,
    TextEnd, TextPiece, TextSource, TextStream, ToolEmulation, ToolText,
};
