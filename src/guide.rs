//! The guide, with a page for each subject. It begins with [`first_tool`], and each page links the next one. The
//! [crate page](crate#guide) lists the pages in their order, by task.

/// A function as a tool, whose schema the compiler checks.
#[doc = ""]
#[doc = include_str!("guide/first_tool.md")]
pub mod first_tool {}

/// A run: a runner calls tools for a model until the model answers.
#[doc = ""]
#[doc = include_str!("guide/pictures/loop.svg.md")]
#[doc = ""]
#[doc = include_str!("guide/first_run.md")]
pub mod first_run {}

/// Typed answers: structs, enums, arrays, numbers.
#[doc = ""]
#[doc = include_str!("guide/typed_answers.md")]
pub mod typed_answers {}

/// A chat: stored conversations, streaming, approvals, data of the user.
#[doc = ""]
#[doc = include_str!("guide/chat.md")]
pub mod chat {}

/// Limits of a run, and conversations that are longer than the context window of a model.
#[doc = ""]
#[doc = include_str!("guide/limits.md")]
pub mod limits {}

/// Approvals and answers from people, at once or later, and suspended runs.
#[doc = ""]
#[doc = include_str!("guide/pictures/suspended.svg.md")]
#[doc = ""]
#[doc = include_str!("guide/approvals.md")]
pub mod approvals {}

/// Several agents: sub-agents, and hand-overs of a conversation.
#[doc = ""]
#[doc = include_str!("guide/agents.md")]
pub mod agents {}

/// Stores: runs and conversations that survive a crash.
#[doc = ""]
#[doc = include_str!("guide/stores.md")]
pub mod stores {}

/// A server for `useChat` and AG-UI, and a page to try tools.
#[doc = ""]
#[doc = include_str!("guide/pictures/approval.webp.md")]
#[doc = include_str!("guide/pictures/run.webp.md")]
#[doc = include_str!("guide/pictures/tools.webp.md")]
#[doc = ""]
#[doc = include_str!("guide/front_ends.md")]
pub mod front_ends {}

/// Production: process, proxy, database, updates, personal data.
#[doc = ""]
#[doc = include_str!("guide/deploy.md")]
pub mod deploy {}

/// Types of arguments, constraints, custom types and types of other crates.
#[doc = ""]
#[doc = include_str!("guide/types.md")]
pub mod types {}

/// Functions, methods and structs as tools: state, output, progress, hints and policies.
#[doc = ""]
#[doc = include_str!("guide/declaring.md")]
pub mod declaring {}

/// Tools from a file, a database, a plug-in or another server.
#[doc = ""]
#[doc = include_str!("guide/dynamic_tools.md")]
pub mod dynamic_tools {}

/// The Model Context Protocol: tools for its clients, and tools of its servers.
#[doc = ""]
#[doc = include_str!("guide/mcp.md")]
pub mod mcp {}

/// Large toolsets, whose tools the model searches when it needs them.
#[doc = ""]
#[doc = include_str!("guide/tools_on_demand.md")]
pub mod tools_on_demand {}

/// Models of each provider: vendors, tool choice, images, reasoning, caching, errors, retries, fallback.
#[doc = ""]
#[doc = include_str!("guide/models.md")]
pub mod models {}

/// Tools for models without tool calling.
#[doc = ""]
#[doc = include_str!("guide/emulation.md")]
pub mod emulation {}

/// Connections to a provider: timeouts, keys, proxies, hooks and size limits.
#[doc = ""]
#[doc = include_str!("guide/connections.md")]
pub mod connections {}

/// The schemas that each provider accepts, and strict tools.
#[doc = ""]
#[doc = include_str!("guide/profiles.md")]
pub mod profiles {}

/// A test for changes of the prompt, and the fingerprint of a tool.
#[doc = ""]
#[doc = include_str!("guide/prompt_lock.md")]
pub mod prompt_lock {}

/// Dispatch of calls: limits, order, retries, rate limits, approvals, leniency and middleware.
#[doc = ""]
#[doc = include_str!("guide/running.md")]
pub mod running {}

/// Errors, by who can act on them.
#[doc = ""]
#[doc = include_str!("guide/errors.md")]
pub mod errors {}

/// Errors of databases, clients and `anyhow` in tools.
#[doc = ""]
#[doc = include_str!("guide/foreign_errors.md")]
pub mod foreign_errors {}

/// Error texts, with their causes and remedies.
#[doc = ""]
#[doc = include_str!("guide/when_something_fails.md")]
pub mod when_something_fails {}

/// Cancellation of runs and of calls.
#[doc = ""]
#[doc = include_str!("guide/cancellation.md")]
pub mod cancellation {}

/// Paths, commands, hosts, prompt injection, secrets and an audit log.
#[doc = ""]
#[doc = include_str!("guide/security.md")]
pub mod security {}

/// Tests without a network and without a key.
#[doc = ""]
#[doc = include_str!("guide/testing.md")]
pub mod testing {}

/// Import and export of conversations in a provider's form, with repair.
#[doc = ""]
#[doc = include_str!("guide/transcripts.md")]
pub mod transcripts {}

/// The names of rig, `genai`, `async-openai`, LangChain and the AI SDK, and what does the same here.
#[doc = ""]
#[doc = include_str!("guide/coming_from.md")]
pub mod coming_from {}

/// Tools with `async-openai`, `genai` or another client.
#[doc = ""]
#[doc = include_str!("guide/clients.md")]
pub mod clients {}

/// A codec for another protocol.
#[doc = ""]
#[doc = include_str!("guide/codec.md")]
pub mod codec {}

/// A whole program for each of twenty tasks, to copy.
#[doc = ""]
#[doc = include_str!("guide/tasks.md")]
pub mod tasks {}
