//! The schema of an answer, as a provider is sent it.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};
use toolwright_core::{
    model::{AnswerSchema, ModelRequest, ToolChoice, Warning},
    schema::Schema,
    tool::ToolDefinition,
};

use crate::profile::{Profile, Reason, Refusal};

/// The rules of a server for the schema of an answer.
#[derive(Debug)]
pub(crate) struct AnswerRules {
    /// The name of the server in warnings.
    pub(crate) server: &'static str,
    /// The support of the server.
    pub(crate) support: AnswerSupport,
    /// The form of the schema. Its fallback is used where this one refuses a schema.
    pub(crate) profile: Profile,
    /// True if the server enforces only what it is sent with `strict: true`, where it takes any schema.
    pub(crate) needs_strict: bool,
    /// Returns true if the user's own fields ask for a form of the answer.
    pub(crate) has_own: fn(&Map<String, Value>) -> bool,
}

/// The support of a server for the schema of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerSupport {
    /// It takes one.
    Yes,
    /// It takes one, and then makes no calls.
    WithoutTools,
    /// It refuses one beside tools, whether or not these may be called.
    Alone,
    /// It refuses a request that has one.
    No,
}

/// The schema of an answer in the form of a provider.
///
/// The text of a response is not changed when it comes. So a form is sent only if what fits it fits the schema
/// of the request too, apart from constraints that are written into descriptions.
#[derive(Debug)]
pub(crate) struct SentAnswer<'a> {
    pub(crate) name: &'a str,
    pub(crate) description: Option<Cow<'static, str>>,
    pub(crate) schema: Schema,
    /// True if the provider is to enforce the schema.
    pub(crate) strict: bool,
    /// True if the schema is in the subset of `OpenAPI` instead of JSON Schema.
    pub(crate) open_api: bool,
}

/// The fields of a schema in the form of OpenAI.
#[derive(Debug, Serialize)]
pub(crate) struct NamedSchema<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    schema: &'a Schema,
    strict: bool,
}

impl<'a> SentAnswer<'a> {
    /// Returns what is sent of the schema that a request asks for, and a warning where that is less than it asks.
    pub(crate) fn of(
        request: &'a ModelRequest,
        rules: impl FnOnce() -> AnswerRules,
    ) -> (Option<Self>, Option<Warning>) {
        let Some(answer) = &request.answer_schema else {
            return (None, None);
        };
        let rules = rules();
        if (rules.has_own)(&request.settings.extra) {
            return (None, None);
        }
        let server = rules.server;
        match rules.support {
            AnswerSupport::Yes => {}
            AnswerSupport::WithoutTools if !offers_tools(request) => {}
            AnswerSupport::WithoutTools => {
                let reason =
                    format!("{server} makes no tool calls beside one, and there are tools");
                return (None, Some(left_out(answer, &reason)));
            }
            AnswerSupport::Alone if !has_tools(request) => {}
            AnswerSupport::Alone => {
                let reason = format!("{server} accepts none beside tools");
                return (None, Some(left_out(answer, &reason)));
            }
            AnswerSupport::No => {
                let reason = format!("{server} accepts no schema for an answer");
                return (None, Some(left_out(answer, &reason)));
            }
        }
        let profile = &rules.profile;
        let reason = match Self::in_profile(answer, profile) {
            Ok(sent) => {
                let is_less = rules.needs_strict && profile.any_schema && !sent.strict;
                let reason = format!("{server} does not enforce it");
                let warning = is_less.then(|| not_strict(answer, &reason));
                return (Some(sent), warning);
            }
            Err(reason) => reason,
        };
        let Some(fallback) = profile.fallback.as_deref() else {
            return (None, Some(left_out(answer, &reason)));
        };
        match Self::in_profile(answer, fallback) {
            Ok(sent) => {
                let is_less = profile.strict && !sent.strict;
                let warning = is_less.then(|| not_strict(answer, &reason));
                (Some(sent), warning)
            }
            Err(reason) => (None, Some(left_out(answer, &reason))),
        }
    }

    /// Writes the schema in the form of a profile; or says why it has none.
    fn in_profile(answer: &'a AnswerSchema, profile: &Profile) -> Result<Self, String> {
        let description = answer.description.clone().unwrap_or_default();
        let definition =
            ToolDefinition::new(answer.name.clone(), description, answer.schema.clone());
        let rendered = profile
            .render(&definition)
            .map_err(|refusal| reason_of(&refusal))?;
        if !rendered.mapping.is_empty() {
            return Err(format!(
                "{} would change the form of the answer (null for an optional member, pairs for a map, an object around another root)",
                profile.name
            ));
        }
        let Some(schema) = rendered.parameters else {
            return Err(format!(
                "{} accepts no object without members",
                profile.name
            ));
        };
        Ok(Self {
            name: &answer.name,
            description: answer.description.as_ref().map(|_| rendered.description),
            schema,
            strict: rendered.strict,
            open_api: rendered.open_api,
        })
    }

    /// The fields of the schema in the form of OpenAI.
    pub(crate) fn named(&self) -> NamedSchema<'_> {
        NamedSchema {
            name: self.name,
            description: self.description.as_deref(),
            schema: &self.schema,
            strict: self.strict,
        }
    }
}

/// Returns true if the model may make calls.
fn offers_tools(request: &ModelRequest) -> bool {
    !request.tools.is_empty() && request.tool_choice != ToolChoice::None
}

/// Returns true if there are tools, of the application or of the provider.
fn has_tools(request: &ModelRequest) -> bool {
    let settings = &request.settings;
    !request.tools.is_empty()
        || !settings.provider_tools.is_empty()
        || settings.extra.contains_key("tools")
}

fn not_strict(answer: &AnswerSchema, reason: &str) -> Warning {
    let message = format!(
        "the schema of the answer `{}` is sent without `strict`, so it is not enforced: {reason}",
        answer.name
    );
    Warning::new("answer_schema_not_strict", message)
}

fn left_out(answer: &AnswerSchema, reason: &str) -> Warning {
    let message = format!(
        "the schema of the answer `{}` is not sent, so it is not enforced: {reason}",
        answer.name
    );
    Warning::new("answer_schema_left_out", message)
}

/// The reason of a refusal, in the words for an answer: a profile speaks of a tool and its arguments.
fn reason_of(refusal: &Refusal) -> String {
    let Refusal {
        profile,
        path,
        reason,
        ..
    } = refusal;
    if let Reason::TooMuch { what, limit } = reason {
        return format!("{profile} accepts at most {limit} {what}, and it has more");
    }
    let path = match path.strip_prefix("arguments") {
        Some(rest) => format!("answer{rest}"),
        None => path.clone(),
    };
    format!("{profile} refuses it: {path}: {reason}")
}
