//! Write a Rust function, get a tool a language model can call.
//!
//! The schema is checked while it compiles, the arguments arrive decoded and typed, and the loop that
//! calls tools for a model never leaves a broken conversation behind.
//!
//! This page is the guide. `cargo run --example quickstart` shows the whole of it, offline.
//!
//! 1. [The first tool](#the-first-tool)
//! 2. [Types and schemas](#types-and-schemas)
//! 3. [Declaring tools](#declaring-tools)
//! 4. [Schemas and providers](#schemas-and-providers)
//! 5. [The first run](#the-first-run)
//! 6. [A chat application](#a-chat-application)
//! 7. [Models and providers](#models-and-providers), with [another client](#another-client), and
//!    [writing a codec](#writing-a-codec)
//! 8. [Running calls](#running-calls), with a runner or with a client of your own
//! 9. [Errors](#errors)
//! 10. [Cancellation](#cancellation)
//! 11. [Security](#security)
//! 12. [Testing](#testing)
//! 13. [Features](#features)
//!
#![doc = include_str!("guide/first_tool.md")]
#![doc = include_str!("guide/types.md")]
#![doc = include_str!("guide/declaring.md")]
#![doc = include_str!("guide/schemas.md")]
#![doc = include_str!("guide/first_run.md")]
#![doc = include_str!("guide/chat.md")]
#![doc = include_str!("guide/models.md")]
#![doc = include_str!("guide/clients.md")]
#![doc = include_str!("guide/codec.md")]
#![doc = include_str!("guide/running.md")]
#![doc = include_str!("guide/errors.md")]
#![doc = include_str!("guide/cancellation.md")]
#![doc = include_str!("guide/security.md")]
#![doc = include_str!("guide/testing.md")]
//! # Features
//!
//! | Feature | Default | What it adds |
//! | --- | --- | --- |
//! | `macros` | yes | [`tool`](macro@tool), [`tools`], [`Tool`](derive@Tool), [`ToolInput`](derive@ToolInput), [`toolset!`] |
//! | `runtime` | yes | [`Runner`], [`Toolset::dispatch`], [`testing::call`]: what needs tokio |
//! | `providers` | no | [`profile`], [`provider`] and [`wire`]: what each provider takes of a schema, and the codecs, without I/O |
//! | `http` | no | `providers`, and the HTTP transport and the providers' models: [`OpenAiChat`], [`OpenAiResponses`], [`Anthropic`], [`Gemini`] and [`Ollama`]. TLS comes from `ring` |
//! | `http-aws-lc` | no | `http` with TLS from `aws-lc`, which takes longer to compile; it wins where both are on |
//! | `http-plain` | no | `http` without TLS, for servers on this machine |
//! | `dynamic` | no | [`DynamicTool`]: tools whose definition is known only at run time |
//! | `jsonschema` | no | `dynamic`, and arguments of a [`DynamicTool`] are checked against its schema |
//! | `tracing` | no | a span of `tracing` around every attempt of a call |
//! | `anyhow`, `eyre` | no | `From<anyhow::Error>` and `From<eyre::Report>` for [`ToolError`], which keep a `ToolError` thrown through them |
//! | `fingerprint` | no | [`ToolDefinition::fingerprint`](tool::ToolDefinition::fingerprint) |
//! | `regex` | no | the constraint `pattern`, and [`RedactPatterns`] |
//! | `uuid`, `url`, `chrono`, `jiff`, `rust_decimal`, `bytes` | no | the types of these crates in arguments: [their forms](schema::ToolInput) |
//! | `schemars` | no | `#[tool(schemars)]`, for types of other crates that have `schemars::JsonSchema`, and `#[tool(json_schema)]`, which gives it to yours |
//!
//! Without default features nothing depends on tokio: schemas, decoding and [`Run`], the state machine of
//! the loop, are there for any executor; with `providers` the codecs as well.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "macros")]
mod macros;

#[cfg(feature = "macros")]
pub use macros::{Tool, ToolInput, tool, tools};
#[cfg(feature = "http-plain")]
pub use toolwright_providers::provider::{
    Anthropic, ApiKey, Gemini, Ollama, OpenAiChat, OpenAiResponses, OutgoingRequest,
};
#[cfg(feature = "providers")]
pub use toolwright_providers::{profile, provider, wire};
#[cfg(feature = "runtime")]
pub use toolwright_runtime::{
    Admission, ApprovalId, ApprovalQueue, Approver, BuildError, DispatchEvent, DispatchOptions,
    DispatchStream, NotPending, OversizedOutput, PendingApproval, QueueApprover, RateLimiter,
    Redact, Reservation, Retry, RunEvent, RunHandle, Runner, RunnerBuilder, Secrets, dispatch_fn,
    dispatch_stream_fn, redact_fn,
};
pub use toolwright_runtime::{
    ApprovalPolicy, ApprovalRequest, ArgumentChange, Backoff, Call, CallState, CallUpdate,
    CancellationToken, Capabilities, ChangeKind, ChatModel, Conversation, ConversationError,
    Decision, Delay, Deliver, Effects, ErrorCategory, Execute, Extension, ExtensionRef, Failure,
    Finish, FinishReason, FromContext, IntoToolOutput, Json, JsonText, Leniency, Limit, Limits,
    Message, Middleware, ModelError, ModelErrorKind, ModelEvent, ModelRequest, ModelResponse,
    ModelSettings, Next, OnExcess, OnLimit, Part, Progress, ProgressReport, PromptCaching,
    RateLimit, Record, Repaired, Run, RunConfig, RunError, RunOutcome, Schedule, Schema,
    StaticTool, Strict, Tool, ToolCall, ToolChoice, ToolContext, ToolDefinition, ToolDefinitions,
    ToolError, ToolHints, ToolInput, ToolOutput, ToolPolicy, ToolRegistry, ToolResult, ToolRound,
    Toolset, ToolsetError, Unrepairable, Updates, Usage, UserMessage, Warning, message, middleware,
    model, repair_json, run, schema, testing, tool,
};
#[cfg(feature = "dynamic")]
pub use toolwright_runtime::{DefinitionError, DynamicTool, DynamicToolBuilder, dynamic};
#[cfg(feature = "fingerprint")]
pub use toolwright_runtime::{Fingerprint, FingerprintError};
#[cfg(all(feature = "runtime", feature = "regex"))]
pub use toolwright_runtime::{PatternError, RedactPatterns};

/// What generated code names. It promises nothing to anybody else.
#[doc(hidden)]
pub mod __private {
    #[cfg(feature = "macros")]
    pub use toolwright_macros::__toolset;
    pub use toolwright_runtime::__private::{
        Arc, Argument, At, Because, BorrowingArgument, Call, Capabilities, Choice, Clash,
        ConstDefault, Constant, Constrained, Constraint, Constraints, Declared, Default, DefaultFn,
        DefaultOf, DefaultValue, Describe, Described, Duration, Entries, Entry, Example, Facts,
        FeaturePart, Fits, FitsNot, FlattenInput, Format, FromContext, Fuel, Gate, Gated, Keys,
        Kind, LazyLock, Length, Lent, Link, MapPart, Named, NoExample, NoReason, NoReference,
        NoResult, NoSchema, NoSlot, Node, NotAResult, NotSent, NotShared, NotWritten, Number,
        OnExcess, Option, OutputOf, OutputOfStruct, OwnPart, Parameter, Paths, Pattern,
        PhantomData, Place, Probe, Property, Range, RateLimit, Reason, Result, ResultOfStruct,
        Returned, Rewritten, Rules, Sendable, Sent, SlotFor, Start, StaticTool, Steps, Strict,
        String, Tagging, Taken, Taking, Tool, ToolCall, ToolContext, ToolDefinition, ToolError,
        ToolHints, ToolInput, ToolOutput, ToolPolicy, Toolset, TuplePart, Typed, Unclassified,
        Untagged, UntaggedContent, Variant, Vec, Why, WidePart, Work, array_parameter,
        borrowing_parameter, capabilities, check_chosen, check_default, check_description,
        check_example, check_extension, check_feature, check_field_by, check_flattened,
        check_format, check_input, check_input_by, check_length, check_length_limits, check_limit,
        check_map, check_names_by, check_no_result, check_object, check_output, check_own,
        check_pattern, check_properties, check_range, check_range_limits, check_sent,
        check_tool_names, check_tuple, check_untagged, check_visible, check_wide,
        constrained_parameter, context, context_option, context_ref, culprit, decode_parameters,
        default_value, definition, definition_of, deliver, derived_tool, description,
        documentation, extension, extension_ref, feature_parameter, flattened, inner_parameter,
        input_of, into_output, lend, link, map_parameter, parameter, property, received, share,
        shared_state, tuple_parameter, type_name, wide_parameter,
    };
    #[cfg(feature = "schemars")]
    pub use toolwright_runtime::__private::{
        Cow, ForeignInput, ForeignProbe, Schemars, foreign_parameter, json_schema, schema_name,
        schemars,
    };
    #[cfg(feature = "regex")]
    pub use toolwright_runtime::__private::{Regex, compiled};
}

/// The README, so that its code is compiled.
#[cfg(all(doctest, feature = "macros", feature = "http"))]
#[doc = include_str!("../README.md")]
struct Readme;
