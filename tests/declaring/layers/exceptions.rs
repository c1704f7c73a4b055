//! What the rules do not hold for, and why.

/// Imports that close a cycle of modules in a folder: the folder, the module that imports, the one that it imports. Without
/// them no folder has a cycle.
pub(super) const BACK: &[(&str, &str, &str, &str)] = &[
    (
        "core::arguments::explain",
        "expectation",
        "fault",
        "the words of what was expected quote what came",
    ),
    (
        "runtime::dispatch",
        "call_options",
        "admission",
        "the options hold the approver and the rate limiter, which admission asks",
    ),
    (
        "runtime::dispatch",
        "output",
        "attempt",
        "what leaves a call is the result of an attempt",
    ),
    (
        "runtime::dispatch::attempt",
        "deadline",
        "execute",
        "work that a deadline stops has the outcome of other work",
    ),
    (
        "runtime::dispatch::attempt",
        "offload",
        "execute",
        "work that is moved elsewhere executes its layers there",
    ),
    (
        "runtime::dispatch::attempt",
        "work_state",
        "execute",
        "the state of the work holds its outcome",
    ),
    (
        "core::model",
        "response",
        "assembler",
        "a response is made of events by the assembler, also where it came whole",
    ),
    (
        "core::model",
        "response",
        "event",
        "a whole response becomes events",
    ),
    (
        "core::run",
        "agents",
        "config",
        "the settings of an agent take the place of those of the run",
    ),
    (
        "core::run",
        "agents",
        "record",
        "which agent a run is with is read from its records",
    ),
    (
        "core::run",
        "broken_off",
        "record",
        "what broke off is a record, which holds its reason",
    ),
    (
        "core::run",
        "pending",
        "record",
        "ids stand with the records, which hold what is pending",
    ),
    (
        "core::run",
        "record",
        "outcome",
        "a record holds how a run ended, and an outcome holds ids and the log",
    ),
    (
        "core::run",
        "call_spent",
        "outcome",
        "what a call has spent is read from the outcome of its run",
    ),
    (
        "core::run",
        "config",
        "context",
        "the settings hold the context window, which decides what is sent",
    ),
    (
        "runtime::runner",
        "hand_over",
        "builder",
        "the builder's settings of agents stand with the agents",
    ),
    (
        "runtime::runner",
        "keeper",
        "builder",
        "the builder's settings of stores stand with what keeps a run",
    ),
    (
        "runtime::runner::keeper",
        "settings",
        "around",
        "a run that is kept below another one has its settings, and its place below it",
    ),
    (
        "runtime::runner::keeper",
        "settings",
        "queue",
        "the settings hold the queues in which runs wait for their conversation",
    ),
    (
        "runtime::runner::typed_answer",
        "form",
        "check",
        "the form of an answer says how it is read",
    ),
    (
        "core::schema",
        "const_check",
        "constraint",
        "the facts of a type hold its constraints, which are checked like it",
    ),
    (
        "core::schema",
        "const_check",
        "foreign",
        "what is left to check counts types of other crates as well",
    ),
    (
        "core::schema",
        "const_check",
        "input",
        "what is left to check is counted by the parts of a type",
    ),
    (
        "core::schema",
        "const_check",
        "untagged",
        "the facts of a type hold those of its variants, which are checked like it",
    ),
    (
        "core::schema",
        "constraint",
        "untagged",
        "a constraint of an enum is one of its variants",
    ),
    (
        "core::schema::const_check",
        "facts",
        "paths",
        "the facts of a type hold the paths into it",
    ),
    (
        "core::schema::const_check",
        "facts",
        "strict",
        "the facts of a type hold those that strict tools need",
    ),
    (
        "runtime::store",
        "listing",
        "append",
        "the status of a run stands with what sets it",
    ),
    (
        "core::tool",
        "context",
        "progress",
        "the context holds the way to report progress, which is found in it",
    ),
    (
        "core::tool",
        "definition",
        "policy",
        "the hints of a definition give its policy the effects",
    ),
    (
        "core::tool",
        "definition",
        "text_input",
        "a definition holds whether its argument is written as text",
    ),
    (
        "core::tool",
        "output",
        "execute",
        "the schema of an output is that of what a tool's work returns",
    ),
    (
        "core::tool",
        "output",
        "progress",
        "an output that comes in pieces is reported as progress",
    ),
    (
        "core::tool::output",
        "deliver",
        "returned",
        "what is delivered may be an error, which the returned type says",
    ),
    (
        "providers::profile::render",
        "union",
        "merge",
        "a variant of a union may be one of `allOf`, which is merged by its variants",
    ),
    (
        "providers::provider::gemini",
        "tools",
        "codec",
        "the tools of the protocol are part of its codec",
    ),
    (
        "providers::provider::openai_responses",
        "tools",
        "codec",
        "the tools of the protocol are part of its codec",
    ),
    (
        "providers::provider::openai_responses::reply::items",
        "same",
        "whole",
        "the items are one type in several files",
    ),
    (
        "tool-macros::expand::describe",
        "flatten",
        "object",
        "a flattened object is an object",
    ),
];

/// Modules with an `impl` of a type that is defined elsewhere, and of a trait that is as well or of none: the module, the
/// type, the reason.
pub(super) const AWAY: &[(&str, &str, &str)] = &[
    (
        "core::arguments",
        "tool::call::ToolCall",
        "to decode a call is the work of arguments, a layer above calls",
    ),
    (
        "core::tool::question",
        "error::ToolError",
        "what the model reads of a question that nobody was asked stands with the reasons",
    ),
    (
        "runtime::dispatch::attempt::execute",
        "dispatch::output::OutputPolicy",
        "an attempt ends with what its output may be",
    ),
    (
        "runtime::runner::detached",
        "runner::handle::RunHandle",
        "`detach` stands with what it gives",
    ),
    (
        "runtime::runner::hand_over::team",
        "runner::builder::RunnerBuilder",
        "the settings of agents stand with the agents",
    ),
    (
        "runtime::runner::keeper::around",
        "runner::keeper::settings::KeptRuns",
        "runs below others are a subject of their own",
    ),
    (
        "runtime::runner::keeper::around",
        "runner::keeper::settings::KeptFor",
        "runs below others are a subject of their own",
    ),
    (
        "runtime::runner::keeper::durability",
        "runner::builder::RunnerBuilder",
        "the setting stands with what it sets",
    ),
    (
        "runtime::runner::keeper::queue",
        "runner::builder::RunnerBuilder",
        "the setting stands with what it sets",
    ),
    (
        "runtime::runner::keeper::queue",
        "runner::keeper::settings::KeptRuns",
        "runs that wait for their conversation are a subject of their own",
    ),
    (
        "runtime::runner::keeper::settings",
        "runner::builder::RunnerBuilder",
        "the settings of stores stand with what keeps a run",
    ),
    (
        "runtime::runner::resume::below",
        "runner::keeper::settings::KeptRuns",
        "what may go on below a run is asked when it is resumed",
    ),
    (
        "core::schema::const_check::check",
        "schema::const_check::message::Message",
        "the check adds its places to the message",
    ),
    (
        "core::schema::constraint::check::value",
        "schema::const_check::message::Message",
        "the check adds its values to the message",
    ),
    (
        "core::schema::constraint::form",
        "schema::constraint::literal::Number",
        "numbers are compared by the form of a constraint alone",
    ),
    (
        "core::tool::fingerprint",
        "tool::definition::ToolDefinition",
        "the fingerprint stands with its form",
    ),
    (
        "core::tool::retry",
        "tool::policy::ToolPolicy",
        "the rule of another attempt is a subject of its own",
    ),
    (
        "core::tool::text_input",
        "tool::definition::ToolDefinition",
        "what makes an argument a text stands with its form",
    ),
    (
        "providers::codec::activity",
        "codec::tool_use::ProviderToolUse",
        "what is told of a tool that the provider ran is a subject of its own",
    ),
    (
        "providers::profile::restore::ambiguity",
        "profile::restore::form::Forms",
        "whether forms are apart is a subject of its own",
    ),
    (
        "providers::provider::anthropic::tools",
        "provider::anthropic::codec::Messages",
        "the tools of the protocol are part of its codec",
    ),
    (
        "providers::provider::gemini::tools",
        "provider::gemini::codec::GenerateContent",
        "the tools of the protocol are part of its codec",
    ),
    (
        "providers::provider::ollama::tools",
        "provider::ollama::codec::Chat",
        "the tools of the protocol are part of its codec",
    ),
    (
        "providers::provider::openai_chat::tools",
        "provider::openai_chat::codec::ChatCompletions",
        "the tools of the protocol are part of its codec",
    ),
    (
        "providers::provider::openai_responses::tools",
        "provider::openai_responses::codec::Responses",
        "the tools of the protocol are part of its codec",
    ),
    (
        "providers::provider::tool_uses",
        "codec::tool_use::ProviderToolUse",
        "to read one, all providers have to be known",
    ),
    (
        "emulation::engine::mention",
        "engine::openings::Opening",
        "what is mentioned and not called is a subject of its own",
    ),
    (
        "emulation::tool_text",
        "text_calls::TextCalls",
        "the parser adds to what it gives, and nobody else does",
    ),
    (
        "streams::ui_message::assemble",
        "ui_message::message::UiMessage",
        "to put a message together of chunks is a subject of its own",
    ),
    (
        "streams::ui_message::assemble::calls",
        "ui_message::message::UiMessage",
        "to put a message together of chunks is a subject of its own",
    ),
    (
        "integrations/postgres::store",
        "options::PostgresOptions",
        "options that connect give a store, which is above them",
    ),
    (
        "integrations/server::deliver",
        "failure::Failure",
        "a run that does not start is one of its sources",
    ),
    (
        "integrations/sqlite::store",
        "options::SqliteOptions",
        "options that open a file give a store, which is above them",
    ),
    (
        "tool-macros::expand::culprit",
        "expand::advice::Reason",
        "the number of a reason stands with the constants that it is one of",
    ),
];
