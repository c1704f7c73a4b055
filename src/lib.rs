//! Typed Rust functions as tools that a language model can call.
//!
//! The compiler checks the schemas, arguments arrive decoded and typed, and the loop that calls tools for a model
//! always leaves a valid conversation.
//!
//! ```
//! use toolwright::{ModelResponse, Runner, ToolCall, testing::ScriptedModel, tool, toolset};
//!
//! /// Get the current weather in a city.
//! #[tool]
//! async fn get_weather(city: String) -> String {
//!     format!("light rain in {city}")
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A real one is `OpenAiChat::from_env("gpt-5.1-mini")?`, with the feature `http`.
//! let model = ScriptedModel::new([
//!     ModelResponse::from_calls([ToolCall::new("1", "get_weather", r#"{"city": "Oslo"}"#)]),
//!     ModelResponse::from_text("Take a coat: it rains in Oslo."),
//! ]);
//! let runner = Runner::builder(model).tools(toolset![get_weather]).build()?;
//! let answer = runner.run("Do I need a coat in Oslo?").await?;
//! assert_eq!(answer.text, "Take a coat: it rains in Oslo.");
//! # Ok(())
//! # }
//! ```
//!
//! ```text
//!  function ──#[tool]──▶ Tool ──toolset!──▶ Toolset
//!                                              │ definitions      ▲ calls
//!  question ──▶ Runner ──────ModelRequest──▶ ChatModel ──ModelResponse
//!                  ▲                                              │
//!                  └────────────── answer, when no call is left ◀─┘
//! ```
//!
//! `cargo run -p examples --example quickstart` shows a complete run, offline.
//!
//! # Guide
//!
//! | Task | Page |
//! | --- | --- |
//! | make a function a tool | [`first_tool`](guide::first_tool) |
//! | let a model call tools until it answers | [`first_run`](guide::first_run) |
//! | get a struct, an enum or a number as the answer | [`typed_answers`](guide::typed_answers) |
//! | write a chat: a stored conversation, streaming, approvals | [`chat`](guide::chat) |
//! | limit a run; keep a long conversation within the context window | [`limits`](guide::limits) |
//! | let people approve or answer calls, at once or later | [`approvals`](guide::approvals) |
//! | let an agent ask other agents, or hand the conversation over to them | [`agents`](guide::agents) |
//! | store runs and conversations, and resume them after a crash | [`stores`](guide::stores) |
//! | serve runs to a page (`useChat`, AG-UI), and try tools | [`front_ends`](guide::front_ends) |
//! | run it in production: process, proxy, database, personal data | [`deploy`](guide::deploy) |
//! | accept enums, structs, dates, borrowed strings; constrain values | [`types`](guide::types) |
//! | use methods and structs; share state; return JSON, images, progress | [`declaring`](guide::declaring) |
//! | load tools at run time, from JSON Schema or an MCP server | [`dynamic_tools`](guide::dynamic_tools) |
//! | serve tools to MCP clients, and use MCP servers | [`mcp`](guide::mcp) |
//! | offer hundreds of tools, and send only few of them | [`tools_on_demand`](guide::tools_on_demand) |
//! | choose a model or a vendor; send images and documents; retry; fall back | [`models`](guide::models) |
//! | use a model without tool calling | [`emulation`](guide::emulation) |
//! | set timeouts, proxies, headers and keys of requests | [`connections`](guide::connections) |
//! | adapt schemas to a provider; make tools strict | [`profiles`](guide::profiles) |
//! | review changes of what a model sees | [`prompt_lock`](guide::prompt_lock) |
//! | run calls without a runner; limit, retry, approve, repair, observe them | [`running`](guide::running) |
//! | handle errors | [`errors`](guide::errors) |
//! | return errors of `rusqlite`, `sqlx`, `reqwest`, `anyhow` by `?` | [`foreign_errors`](guide::foreign_errors) |
//! | find the cause of an error by its text | [`when_something_fails`](guide::when_something_fails) |
//! | cancel runs and calls | [`cancellation`](guide::cancellation) |
//! | protect paths, commands, hosts and secrets | [`security`](guide::security) |
//! | test tools and runs | [`testing`](guide::testing) |
//! | import or export conversations of another library | [`transcripts`](guide::transcripts) |
//! | find the names of rig, LangChain or the AI SDK | [`coming_from`](guide::coming_from) |
//! | use `async-openai`, `genai` or another client | [`clients`](guide::clients) |
//! | implement another protocol | [`codec`](guide::codec) |
//! | copy a whole program for one of twenty tasks | [`tasks`](guide::tasks) |
//!
//! # Features
//!
//! | Feature | Default | Contents |
//! | --- | --- | --- |
//! | `macros` | yes | [`tool`](macro@tool), [`tools`], [`Tool`](derive@Tool), [`ToolInput`](derive@ToolInput), [`toolset!`] |
//! | `runtime` | yes | [`Runner`], [`Dispatch`], [`testing::call`], [`store`], [`redact`]; needs tokio |
//! | `providers` | no | [`profile`], [`provider`] and [`wire`]: the schemas that each provider accepts, and the codecs, without I/O |
//! | `http` | no | `providers`, the HTTP transport and the providers' models: [`OpenAiChat`], [`OpenAiResponses`], [`Anthropic`], [`Gemini`] and [`Ollama`]. TLS by `ring` |
//! | `http-aws-lc` | no | `http` with TLS by `aws-lc`, which takes longer to compile; it takes precedence where both are on |
//! | `http-plain` | no | `http` without TLS, for servers on this machine |
//! | `emulation` | no | [`emulation`]: tools for models without tool calling, and the calls that models write as text |
//! | `jsonschema` | no | a check of the arguments of a [`DynamicTool`](dynamic::DynamicTool) against its schema |
//! | `mcp` | no | [`mcp`]: tools for clients of the Model Context Protocol, and tools of its servers, on `rmcp` |
//! | `postgres` | no | [`PostgresStore`](store::PostgresStore), a store for many machines, by `tokio-postgres` |
//! | `server` | no | `streams`, and [`server`]: a runner over HTTP, as a router of `axum` or by itself |
//! | `playground` | no | `server` with a page for developers: chat, runs and tools |
//! | `sqlite` | no | [`SqliteStore`](store::SqliteStore), a store in one file. SQLite is compiled with it |
//! | `sqlite-unbundled` | no | `sqlite` with the SQLite of the system, or the one that another package of the program brings |
//! | `streams` | no | [`streams`]: runs as streams for front ends, without I/O: the UI message stream of the AI SDK, AG-UI, plain server-sent events |
//! | `tracing` | no | a span of `tracing` around every attempt of a call, and readable events about each run at `info` |
//! | `anyhow`, `eyre` | no | `From<anyhow::Error>` and `From<eyre::Report>` for [`ToolError`], which keep a `ToolError` inside these errors |
//! | `regex` | no | the constraint `pattern`, and, with `runtime`, [`RedactPatterns`](redact::RedactPatterns) |
//! | `uuid`, `url`, `chrono`, `jiff`, `rust_decimal`, `bytes` | no | the types of these crates in arguments: [their forms](trait@ToolInput) |
//! | `schemars` | no | `#[tool(schemars)]`, for types of other crates that implement `schemars::JsonSchema`, and `#[tool(json_schema)]`, which implements it for yours |
//!
//! Without default features nothing depends on tokio: schemas, decoding and [`Run`](run::Run), the state machine of
//! the loop, work with any executor; so do the codecs, with `providers`.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod approval;
pub mod arguments;
pub mod dispatch;
#[cfg(feature = "emulation")]
pub mod emulation;
pub mod guide;
mod macros;
pub mod message;
pub mod model;
#[cfg(feature = "providers")]
pub mod provider;
pub mod rate_limit;
#[cfg(feature = "runtime")]
pub mod redact;
#[cfg(feature = "runtime")]
pub mod runner;
pub mod schema;
#[cfg(feature = "server")]
pub mod server;
#[cfg(feature = "runtime")]
pub mod store;
pub mod testing;
pub mod tool;
pub mod toolset;

pub use macros::{Tool, ToolInput, tool, tools};
pub use toolwright_core::{
    ChatModel, Conversation, ErrorCategory, Execute, Message, ModelError, ModelResponse, Tool,
    ToolCall, ToolContext, ToolDefinition, ToolError, ToolInput, ToolOutput, ToolResult, Toolset,
    dynamic, middleware, run,
};
#[cfg(feature = "mcp")]
pub use toolwright_mcp as mcp;
#[cfg(feature = "http-plain")]
pub use toolwright_providers::provider::{Anthropic, Gemini, Ollama, OpenAiChat, OpenAiResponses};
#[cfg(feature = "providers")]
pub use toolwright_providers::{profile, wire};
#[cfg(feature = "runtime")]
pub use toolwright_runtime::{Dispatch, Runner};
#[cfg(feature = "streams")]
pub use toolwright_streams as streams;

/// Items that generated code names. It promises nothing to other code.
#[doc(hidden)]
pub mod __private {
    pub use toolwright_core::__private::{
        Arc, Argument, At, Because, BorrowingArgument, ByValue, Call, Capabilities, Choice, Clash,
        ConstDefault, Constant, Constrained, Constraint, Constraints, Declared, Default, DefaultFn,
        DefaultOf, DefaultValue, Describe, Described, Deserialize, Deserializer, Duration, Ends,
        Entries, Entry, Example, Execute, ExtensionType, Fits, FitsNot, FlattenInput, Format, Fuel,
        Gate, Gated, Keys, Kind, LazyLock, Length, Link, MapPart, Named, NoExample, NoReason,
        NoReference, NoResult, NoSchema, NoSlot, Node, NotAResult, NotInContext, NotSent,
        NotShared, NotWritten, Number, OnExcess, Option, OutputOf, OutputOfStruct, OwnPart,
        Parameter, Paths, Pattern, PhantomData, Place, Probe, Range, RateLimit, Reason, Result,
        ResultOfStruct, Returned, Rewritten, Rules, Sendable, Sent, SlotFor, Start, StaticTool,
        Steps, Strict, String, Tagging, Taking, Tool, ToolCall, ToolContext, ToolDefinition,
        ToolError, ToolHints, ToolInput, ToolOutput, ToolPolicy, Toolset, TypeFacts, Typed,
        Unclassified, Untagged, UntaggedContent, Variant, Vec, Why, WidePart, Work,
        answered_elsewhere, array_parameter, borrowing_parameter, capabilities, check_chosen,
        check_default, check_description, check_example, check_extension, check_feature,
        check_field_by, check_flattened, check_format, check_input, check_input_by, check_length,
        check_length_limits, check_limit, check_map, check_names_by, check_no_result, check_object,
        check_output, check_own, check_pattern, check_properties, check_range, check_range_limits,
        check_sent, check_tool_names, check_tuple, check_untagged, check_visible, check_wide,
        constrained_parameter, context, context_option, context_ref, culprit, decode_parameters,
        default_value, definition, definition_of, deliver, derived_tool, description,
        documentation, extension, extension_ref, extensions, flattened, inner_parameter, input_of,
        into_output, lend, link, parameter, property, received, share, shared_state, type_name,
    };
    #[cfg(feature = "schemars")]
    pub use toolwright_core::__private::{
        Cow, ForeignInput, ForeignProbe, Schemars, foreign_parameter, json_schema, schema_name,
        schemars,
    };
    #[cfg(feature = "regex")]
    pub use toolwright_core::__private::{Regex, compiled};
    pub use toolwright_macros::{__Code, __toolset};
}

/// The README, so that its code is compiled.
#[cfg(all(doctest, feature = "macros", feature = "http"))]
#[doc = include_str!("../README.md")]
struct Readme;

/// What an assistant reads, so that its code is compiled.
#[cfg(all(doctest, feature = "macros", feature = "http"))]
#[doc = include_str!("../SKILL.md")]
struct Skill;
