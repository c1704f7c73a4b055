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
//! 4. [The first run](#the-first-run)
//! 5. [Errors](#errors)
//! 6. [Cancellation](#cancellation)
//! 7. [Testing](#testing)
//! 8. [Features](#features)
//!
#![doc = include_str!("guide/first_tool.md")]
#![doc = include_str!("guide/types.md")]
#![doc = include_str!("guide/declaring.md")]
#![doc = include_str!("guide/first_run.md")]
#![doc = include_str!("guide/errors.md")]
#![doc = include_str!("guide/cancellation.md")]
#![doc = include_str!("guide/testing.md")]
//! # Features
//!
//! | Feature | Default | What it adds |
//! | --- | --- | --- |
//! | `macros` | yes | [`tool`](macro@tool), [`tools`], [`Tool`](derive@Tool), [`ToolInput`](derive@ToolInput), [`toolset!`] |
//! | `runtime` | yes | [`Runner`], [`Toolset::dispatch`], [`testing::call`]: what needs tokio |
//! | `http` | no | the HTTP transport and the providers' models, such as [`OpenAiChat`] |
//!
//! Without default features nothing depends on tokio: schemas, decoding, the codecs of the providers
//! and [`Run`], the state machine of the loop, are there for any executor.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "macros")]
mod macros;

#[cfg(feature = "macros")]
pub use macros::{Tool, ToolInput, tool, tools};
#[cfg(feature = "http")]
pub use toolwright_runtime::provider::OpenAiChat;
#[cfg(feature = "runtime")]
pub use toolwright_runtime::{
    BuildError, DispatchOptions, RunEvent, RunHandle, Runner, RunnerBuilder, dispatch_with,
};
pub use toolwright_runtime::{
    Call, CallState, CancellationToken, ChatModel, Conversation, ConversationError, Effects,
    ErrorCategory, Execute, Extension, ExtensionRef, Failure, Finish, FinishReason, FromContext,
    IntoToolOutput, JsonText, Limit, Limits, Message, ModelError, ModelErrorKind, ModelEvent,
    ModelRequest, ModelResponse, ModelSettings, OnLimit, Part, Record, Run, RunConfig, RunError,
    RunOutcome, Schedule, Schema, StaticTool, Strict, Tool, ToolCall, ToolChoice, ToolContext,
    ToolDefinition, ToolDefinitions, ToolError, ToolHints, ToolInput, ToolOutput, ToolPolicy,
    ToolResult, ToolRound, Toolset, ToolsetError, Usage, UserMessage, Warning, message, model,
    profile, provider, run, schema, testing, tool, wire,
};

/// What generated code names. It promises nothing to anybody else.
#[doc(hidden)]
pub mod __private {
    #[cfg(feature = "macros")]
    pub use toolwright_macros::__toolset;
    pub use toolwright_runtime::__private::{
        Arc, Argument, Call, Choice, Clash, Default, DefaultValue, Describe, Facts, FlattenInput,
        FromContext, Fuel, Keys, Kind, LazyLock, Named, NoSlot, Node, NotAResult, NotShared,
        Option, Parameter, Path, PhantomData, Place, Probe, Property, Result, Returned, Rewritten,
        SlotFor, Start, StaticTool, String, Tagging, Tool, ToolCall, ToolContext, ToolDefinition,
        ToolError, ToolHints, ToolInput, ToolOutput, ToolPolicy, Toolset, Unclassified, Variant,
        Vec, check_description, check_flattened, check_input, check_object, check_tool_names,
        context, decode_parameters, default_value, definition, definition_of, derived_tool,
        description, documentation, flattened, input_of, into_output, parameter, path_step, policy,
        property, shared_state, type_name,
    };
}

/// The README, so that its code is compiled.
#[cfg(all(doctest, feature = "macros", feature = "http"))]
#[doc = include_str!("../README.md")]
struct Readme;
