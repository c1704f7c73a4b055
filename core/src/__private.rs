//! Items that generated code names. They are not a public interface: the macros are pinned to the version that they
//! were made for.

pub use std::{
    default::Default,
    marker::PhantomData,
    option::Option,
    result::Result,
    string::String,
    sync::{Arc, LazyLock},
    time::Duration,
    vec::Vec,
};

pub use core::any::type_name;

pub use serde::de::{Deserialize, Deserializer};

pub use crate::{
    arguments::{
        Argument, BorrowingArgument, ByValue, DefaultValue, NoSlot, Parameter, Probe, Rewritten,
        SlotFor, array_parameter, borrowing_parameter, constrained_parameter, decode_parameters,
        inner_parameter, lend, parameter,
    },
    error::ToolError,
    schema::{
        Choice, Constrained, Constraint, Constraints, Describe, Ends, Example, FlattenInput,
        Format, Fuel, Keys, Kind, Length, Link, Named, Node, Number, Paths, Pattern, Place, Range,
        Start, Steps, Tagging, ToolInput, TypeFacts, Variant,
        const_check::{
            check::{check_description, check_tool_names, check_visible},
            keys::{Clash, check_flattened},
            strict::Rules,
        },
        constraint::{
            Typed,
            check::{
                check_default, check_example, check_format, check_length, check_length_limits,
                check_limit, check_pattern, check_range, check_range_limits, check_untagged,
            },
            default::{ConstDefault, Constant, DefaultFn, DefaultOf, NoExample, NotWritten},
        },
        description::{description, documentation},
        unsupported_type::{
            Because, Fits, FitsNot, Gate, Gated, MapPart, NoReason, OwnPart, Reason, Why, WidePart,
            check_feature, check_map, check_own, check_tuple, check_wide, culprit,
        },
        untagged::{Entries, Entry, Untagged, UntaggedContent, check_chosen},
    },
    tool::{
        Call, Capabilities, Declared, Execute, ExtensionType, OnExcess, RateLimit, StaticTool,
        Strict, Tool, ToolCall, ToolContext, ToolDefinition, ToolHints, ToolOutput, ToolPolicy,
        execute::derived_tool,
        extension::{NoReference, NotInContext, Taking, check_extension},
        method::{NotShared, SharedState, received, shared_state},
        output::{
            returned::{NotAResult, Returned, Unclassified, deliver, into_output},
            schema::{
                Described, NoResult, NoSchema, OutputOf, OutputOfStruct, ResultOfStruct,
                check_no_result, check_output, link,
            },
        },
        sent::{NotSent, Sendable, Sent, Work, check_sent},
    },
    toolset::Toolset,
};

#[cfg(feature = "schemars")]
pub use std::borrow::Cow;

#[cfg(feature = "schemars")]
pub use schemars;

#[cfg(feature = "schemars")]
pub use crate::{
    arguments::{ForeignProbe, foreign_parameter},
    schema::{
        ForeignInput, Schemars,
        json_schema::{json_schema, schema_name},
    },
};

#[cfg(feature = "regex")]
pub use crate::schema::constraint::compiled;
#[cfg(feature = "regex")]
pub use regex::Regex;

use crate::{
    schema::{
        Flattened, Property,
        const_check::{check, flat, strict::count_properties},
    },
    tool::{
        output::schema::object_schema,
        parameter::{
            BorrowedFromContext, ClonedFromContext, InContext, Lendable, OptionalInContext,
        },
    },
};

/// The outcome of a call of an external tool that no application answers.
///
/// # Errors
///
/// Always.
pub fn answered_elsewhere() -> Result<(), ToolError> {
    Err(ToolError::answered_elsewhere())
}

/// The definition of a declared tool.
pub fn definition<T: StaticTool>() -> ToolDefinition {
    let definition = definition_of(
        T::NAME,
        T::DESCRIPTION,
        T::TITLE,
        T::HINTS,
        T::input,
        T::OUTPUT,
    );
    ToolDefinition {
        strict: T::STRICT,
        deferred: T::DEFERRED,
        ..definition
    }
}

/// The definition of a tool from its parts.
pub fn definition_of(
    name: &'static str,
    description: &'static str,
    title: Option<&'static str>,
    hints: ToolHints,
    input: Link,
    output: Option<Link>,
) -> ToolDefinition {
    ToolDefinition {
        title: title.map(Into::into),
        hints,
        output_schema: output.and_then(object_schema),
        ..ToolDefinition::new(name, description, input().to_schema().with_tree(input))
    }
}

/// The input of a tool: the call and its context.
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
    /// The call.
    pub call: &'a ToolCall,
    /// The context of the call.
    pub cx: &'a ToolContext,
}

/// All of these capabilities.
pub const fn capabilities(all: &[Capabilities]) -> Capabilities {
    let (mut union, mut rest) = (Capabilities::NONE, all);
    while let [first, others @ ..] = rest {
        union = union.union(*first);
        rest = others;
    }
    union
}

/// The schema tree of a struct that derives `Tool`.
pub fn input_of<T: ToolInput>() -> &'static Node {
    <T::Body<Start> as Describe>::node()
}

/// Checks the levels of a struct that derives `Tool`, and that it ends.
///
/// # Panics
///
/// When it is too deep or contains itself; this fails the compilation.
#[track_caller]
pub const fn check_input<T: ToolInput>() {
    check_input_by::<T>(Rules::NONE);
}

/// Checks the levels of the type of an answer, and that it ends.
///
/// # Panics
///
/// When it is too deep or contains itself; this fails the compilation.
#[track_caller]
pub const fn check_answer<T: ToolInput>() {
    check::check_answer(
        <T::Body<Start> as Describe>::FACTS,
        <T::Body<Start> as Describe>::PATHS.deepest,
    );
}

/// Checks that a form can show a type to a person: a struct of simple values.
///
/// # Panics
///
/// When it cannot; this fails the compilation.
#[track_caller]
pub const fn check_form<T: ToolInput>() {
    flat::check_form(<T::Body<Start> as Describe>::FACTS.flat);
}

/// Checks the same of a struct, with what the tool asks for beyond.
///
/// # Panics
///
/// When it is too deep or contains itself; this fails the compilation.
#[track_caller]
pub const fn check_input_by<T: ToolInput>(rules: Rules) {
    rules.check_arguments(
        <T::Body<Start> as Describe>::FACTS,
        <T::Body<Start> as Describe>::PATHS,
    );
}

/// Checks a field of a struct that derives `Tool` by what the tool asks for. One that is flattened
/// has no name.
///
/// # Panics
///
/// When its type breaks a rule; this fails the compilation.
#[track_caller]
pub const fn check_field_by(rules: Rules, name: &str, facts: TypeFacts, paths: Paths) {
    rules.check_field(name, facts, paths);
}

/// Checks the names of a type that is flattened into a struct that derives `Tool`.
///
/// # Panics
///
/// When a provider does not take one; this fails the compilation.
#[track_caller]
pub const fn check_names_by(rules: Rules, keys: Keys) {
    rules.check_names(keys);
}

/// Checks how many properties the arguments have.
///
/// # Panics
///
/// When there are too many; this fails the compilation.
#[track_caller]
pub const fn check_properties(rules: Rules, fields: &[TypeFacts]) {
    rules.check_properties(count_properties(fields));
}

/// A share of what a method stands on, for work that may outlive the caller.
pub fn share<T: ?Sized>(state: &Arc<T>) -> Arc<T> {
    Arc::clone(state)
}

/// The types of the extensions that the `#[context]` parameters of a tool ask for.
pub fn extensions(asked: &[Option<fn() -> ExtensionType>]) -> Vec<ExtensionType> {
    asked.iter().flatten().map(|of| of()).collect()
}

/// Returns the value of a `#[context]` parameter.
///
/// # Errors
///
/// When the context lacks it.
pub fn context<'cx, T: InContext<'cx>>(cx: &'cx ToolContext) -> Result<T, ToolError> {
    T::from_context(cx)
}

/// Returns the value of a `#[context]` parameter whose type is written as a reference.
///
/// # Errors
///
/// When the context lacks it.
pub fn context_ref<'cx, T: Lendable<'cx> + ?Sized>(
    cx: &'cx ToolContext,
) -> Result<&'cx T, ToolError> {
    T::lent(cx)
}

/// Returns the value of a `#[context]` parameter whose type is written as an `Extension`.
///
/// # Errors
///
/// When the context lacks it.
pub fn extension<'cx, T: ClonedFromContext<'cx>>(cx: &'cx ToolContext) -> Result<T, ToolError> {
    T::from_context(cx)
}

/// Returns the value of a `#[context]` parameter whose type is written as an `ExtensionRef`.
///
/// # Errors
///
/// When the context lacks it.
pub fn extension_ref<'cx, T: BorrowedFromContext<'cx>>(
    cx: &'cx ToolContext,
) -> Result<T, ToolError> {
    T::from_context(cx)
}

/// Returns the value of a `#[context]` parameter whose type is written as an `Option`.
///
/// # Errors
///
/// When the context lacks what cannot be missing.
pub fn context_option<'cx, T: OptionalInContext<'cx>>(
    cx: &'cx ToolContext,
) -> Result<T, ToolError> {
    T::from_context(cx)
}

/// Returns the value that `#[tool(default)]` uses for an argument that was left out.
pub fn default_value<T: DefaultValue>() -> T {
    T::default_value()
}

/// The key of an object that a derived type describes.
pub const fn property<B: Describe>(
    name: &'static str,
    aliases: &'static [&'static str],
    description: &'static str,
    has_default: bool,
) -> Property {
    Property {
        aliases,
        ..Property::new(name, description, has_default, B::node)
    }
}

/// The keys of a type that is flattened into another.
pub const fn flattened<B: Describe>() -> Property {
    Property {
        is_flattened: true,
        ..property::<B>("", &[], "", false)
    }
}

/// Asks whether the keys of a type may stand among those of another.
pub const fn check_object<T: Flattened + ?Sized>() {}
