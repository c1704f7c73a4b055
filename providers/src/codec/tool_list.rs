//! The tools of a request, as a provider is sent them.

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use serde::Serialize;
use toolwright_core::{
    driver::Mutex,
    model::Warning,
    schema::Schema,
    tool::{Strict, TextInput, ToolCall, ToolDefinition, ToolDefinitions},
};
use toolwright_json::JsonText;

use crate::{
    profile::{ArgumentMapping, Cost, Profile, Reason, Rendered},
    wire::sendable_arguments,
};

/// The form in which a provider is sent tools.
pub(crate) trait ToolForm {
    /// The name of the form, which nothing else is called by.
    const NAME: &'static str;

    /// The name of the form in which tools whose input is one text are custom tools, for a provider that has these.
    const WITH_TEXTS: Option<&'static str> = None;

    /// One tool, as it stands in the list.
    type Tool<'a>: Serialize;

    /// The profile for a tool that is strict by these rules. It is `None` for the rules of other providers:
    /// such a tool is sent and not enforced.
    fn strict(rules: Strict) -> Option<Profile>;

    /// The profile for a tool that is not strict.
    fn plain() -> Profile;

    /// Writes a tool.
    fn write(tool: SentTool<'_>) -> Self::Tool<'_>;

    /// Writes the list of them.
    fn list(tools: &[Self::Tool<'_>]) -> JsonText {
        json_of(tools)
    }
}

/// The JSON of tools.
pub(crate) fn json_of(tools: &(impl Serialize + ?Sized)) -> JsonText {
    JsonText::of(tools).unwrap_or_else(|_| unreachable!("names and schemas are JSON"))
}

/// The data of a tool that is sent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SentTool<'a> {
    pub(crate) name: &'a str,
    pub(crate) description: &'a str,
    /// `None` where a profile sends none.
    pub(crate) parameters: Option<&'a Schema>,
    /// As the tool has them.
    pub(crate) own_parameters: &'a Schema,
    /// True if the provider is to enforce the parameters.
    pub(crate) strict: bool,
    /// True if the model reads the tool only when it has looked for it.
    pub(crate) deferred: bool,
    /// The form of the input of a custom tool.
    pub(crate) text_input: Option<&'a TextInput>,
    /// True if the parameters are in the subset of `OpenAPI` instead of JSON Schema.
    pub(crate) open_api: bool,
}

/// Counts the lists that have been made.
static LISTS: AtomicU64 = AtomicU64::new(0);

/// The tools of a request.
#[derive(Debug)]
pub(crate) struct ToolList {
    /// The number of this list, which no other has.
    pub(crate) number: u64,
    /// As they stand in the body.
    pub(crate) json: JsonText,
    /// True if the provider is to enforce the parameters of at least one tool.
    pub(crate) enforced: bool,
    /// Of the tools that cannot be sent as they should be.
    pub(crate) warnings: Vec<Warning>,
    /// The one argument of each tool that may be called with a text, by name.
    texts: HashMap<String, String>,
    /// True if these tools are sent as custom tools.
    has_custom: bool,
    /// Of the tools whose arguments come in another form, by name.
    mappings: HashMap<String, ArgumentMapping>,
    changed: Mutex<Vec<(&'static str, JsonText)>>,
}

impl ToolList {
    /// The tools on offer, as they are sent: by the rules of the provider, or all of them in the form of
    /// a chosen profile. Rendered once for a set and a profile.
    pub(crate) fn of<F: ToolForm>(
        definitions: &ToolDefinitions,
        profile: Option<&Profile>,
        takes_texts: bool,
    ) -> Arc<Self> {
        type InProfiles = Mutex<Vec<(Profile, Arc<ToolList>)>>;
        let Some(profile) = profile else {
            let with_texts = F::WITH_TEXTS.filter(|_| takes_texts);
            let has_texts = with_texts.is_some();
            return definitions.prepared(with_texts.unwrap_or(F::NAME), |list| {
                Self::new::<F>(list, has_texts, render::<F>)
            });
        };
        let all = definitions.prepared(F::NAME, |_| InProfiles::default());
        // A panic in rendering leaves the list as it was.
        let mut all = all.lock();
        if let Some((_, sent)) = all.iter().find(|(known, _)| known == profile) {
            return Arc::clone(sent);
        }
        let render = |definition: &_, spent: &mut _, warnings: &mut _| {
            render_in(profile, definition, spent, warnings)
        };
        let sent = Arc::new(Self::new::<F>(definitions, false, render));
        all.push((profile.clone(), Arc::clone(&sent)));
        sent
    }

    fn new<F: ToolForm>(
        definitions: &[ToolDefinition],
        has_custom: bool,
        render: impl Fn(&ToolDefinition, &mut Cost, &mut Vec<Warning>) -> Option<Rendered>,
    ) -> Self {
        let mut warnings = Vec::new();
        let mut spent = Cost::default();
        let rendered: Vec<_> = definitions
            .iter()
            .map(|definition| render(definition, &mut spent, &mut warnings))
            .collect();
        let json = {
            let all = definitions.iter().zip(&rendered);
            let tools: Vec<_> = all
                .map(|(definition, sent)| {
                    let text_input = text_input_of(definition).filter(|_| has_custom);
                    F::write(SentTool {
                        text_input,
                        ..SentTool::new(definition, sent.as_ref())
                    })
                })
                .collect();
            F::list(&tools)
        };
        let enforced = rendered.iter().flatten().any(|sent| sent.strict);
        let mappings = rendered
            .into_iter()
            .flatten()
            .filter(|sent| !sent.mapping.is_empty());
        Self {
            number: LISTS.fetch_add(1, Ordering::Relaxed),
            json,
            enforced,
            texts: definitions.iter().filter_map(text_of).collect(),
            has_custom,
            mappings: mappings
                .map(|sent| (sent.name.into_owned(), sent.mapping))
                .collect(),
            warnings,
            changed: Mutex::default(),
        }
    }

    /// The list with a change, which is made when it is first asked for; without it where it cannot be
    /// made.
    pub(crate) fn changed(
        &self,
        name: &'static str,
        change: impl FnOnce(&JsonText) -> Option<JsonText>,
    ) -> JsonText {
        // A panic in `change` leaves the list as it was.
        let mut all = self.changed.lock();
        if let Some((_, made)) = all.iter().find(|(known, _)| *known == name) {
            return made.clone();
        }
        let made = change(&self.json).unwrap_or_else(|| self.json.clone());
        all.push((name, made.clone()));
        made
    }

    /// Returns true if the arguments of every tool come unchanged, and there are no warnings.
    pub(crate) fn is_plain(&self) -> bool {
        self.mappings.is_empty() && self.warnings.is_empty() && self.texts.is_empty()
    }

    /// Returns true if the arguments of a tool come in another form.
    pub(crate) fn changes(&self, name: &str) -> bool {
        self.mappings.contains_key(name) || self.texts.contains_key(name)
    }

    /// The arguments of a call as the tool takes them, and why they stay as they are if they do.
    pub(crate) fn restore(&self, name: &str, arguments: &mut String) -> Option<Warning> {
        match self.mappings.get(name)?.try_to_tool(arguments) {
            Ok(Cow::Owned(own)) => *arguments = own,
            Ok(Cow::Borrowed(_)) => {}
            Err(reason) => {
                return Some(Warning::new("not_restored", format!("`{name}`: {reason}")));
            }
        }
        None
    }

    /// Returns true if a tool is sent as a custom tool.
    pub(crate) fn is_custom(&self, name: &str) -> bool {
        self.has_custom && self.texts.contains_key(name)
    }

    /// The arguments of a call whose input is this text; `None` for a tool that takes no text.
    pub(crate) fn of_text(&self, name: &str, text: &str) -> Option<String> {
        let parameter = self.texts.get(name)?;
        Some(serde_json::json!({parameter: text}).to_string())
    }

    /// The text of an earlier call, as the model wrote it.
    pub(crate) fn to_text<'t>(&self, call: &'t ToolCall) -> Cow<'t, str> {
        let parameter = self.texts.get(&call.name);
        let text = parameter.and_then(|parameter| {
            let arguments: HashMap<String, String> = serde_json::from_str(&call.arguments).ok()?;
            arguments
                .into_iter()
                .next()
                .filter(|(name, _)| name == parameter)
        });
        text.map_or(Cow::Borrowed(&*call.arguments), |(_, text)| {
            Cow::Owned(text)
        })
    }

    /// The arguments of an earlier call as the model knows them, as JSON text of an object.
    fn to_provider<'t>(&self, name: &str, arguments: &'t str) -> Cow<'t, str> {
        match self.mappings.get(name) {
            Some(mapping) => mapping.to_provider(arguments),
            None => Cow::Borrowed(arguments),
        }
    }

    /// The argument text of an earlier call as it goes back: an object whatever the model wrote, in the
    /// form that the model knows.
    pub(crate) fn sendable_arguments<'t>(&self, call: &'t ToolCall) -> Cow<'t, str> {
        match sendable_arguments(&call.arguments) {
            Cow::Borrowed(arguments) => self.to_provider(&call.name, arguments),
            // What was no JSON object has no form.
            arguments @ Cow::Owned(_) => arguments,
        }
    }
}

impl<'a> SentTool<'a> {
    fn new(definition: &'a ToolDefinition, sent: Option<&'a Rendered>) -> Self {
        let own_parameters = &definition.input_schema;
        Self {
            name: &definition.name,
            description: sent.map_or(&*definition.description, |sent| &*sent.description),
            parameters: match sent {
                Some(sent) => sent.parameters.as_ref(),
                None => Some(own_parameters),
            },
            own_parameters,
            strict: sent.is_some_and(|sent| sent.strict),
            deferred: definition.deferred,
            text_input: None,
            open_api: sent.is_some_and(|sent| sent.open_api),
        }
    }
}

/// The form of the input of a tool that may be called with a text. One that is looked up stays a function.
fn text_input_of(definition: &ToolDefinition) -> Option<&TextInput> {
    let input = definition.text_input.as_ref()?;
    (!definition.deferred && definition.text_parameter().is_some()).then_some(input)
}

/// A tool that may be called with a text, and its one argument.
fn text_of(definition: &ToolDefinition) -> Option<(String, String)> {
    text_input_of(definition)?;
    Some((
        definition.name.clone().into_owned(),
        definition.text_parameter()?,
    ))
}

/// Returns warnings about grammars that are not sent to a server without custom tools.
pub(crate) fn lost_grammars(tools: &[ToolDefinition]) -> impl Iterator<Item = Warning> {
    let has_grammar = |tool: &&ToolDefinition| {
        let input = tool.text_input.as_ref();
        input.is_some_and(|input| input.grammar.is_some())
    };
    tools.iter().filter(has_grammar).map(|tool| {
        let message = format!("`{}` is sent as a function, without its grammar", tool.name);
        Warning::new("grammar_not_sent", message)
    })
}

/// The form of a tool by the rules of the provider; `None` to send it as it is.
fn render<F: ToolForm>(
    definition: &ToolDefinition,
    spent: &mut Cost,
    warnings: &mut Vec<Warning>,
) -> Option<Rendered> {
    if let Some(profile) = definition.strict.and_then(F::strict) {
        match profile.render_within(definition, spent) {
            Ok(rendered) => return Some(rendered),
            Err(refusal) => {
                let is_one_too_many =
                    matches!(refusal.reason, Reason::Budget { what: "tools", .. });
                let message = if is_one_too_many {
                    format!(
                        "{refusal}; it is sent all the same, without `strict`: send fewer tools"
                    )
                } else {
                    format!("{refusal}; it is sent without `strict`")
                };
                warnings.push(Warning::new("not_strict", message));
            }
        }
    }
    // Servers that speak one protocol differ in what they take: what its owner refuses is sent as
    // it is, since the next server may not.
    F::plain().render(definition).ok()
}

/// The form of a tool in a chosen profile, or in its fallback; `None` to send it as it is. Whoever
/// chose the profile knows what the server enforces: what a tool says of `strict` does not count.
fn render_in(
    profile: &Profile,
    definition: &ToolDefinition,
    spent: &mut Cost,
    warnings: &mut Vec<Warning>,
) -> Option<Rendered> {
    let refusal = match profile.render_within(definition, spent) {
        Ok(rendered) => return Some(rendered),
        Err(refusal) => refusal,
    };
    let fallback = profile.fallback.as_deref();
    let rendered = fallback.and_then(|other| other.render_within(definition, spent).ok());
    let instead = match fallback.filter(|_| rendered.is_some()) {
        Some(fallback) => format!("as {}", fallback.name),
        None => "as it is".to_owned(),
    };
    let message = format!("{refusal}; it is sent {instead}");
    warnings.push(Warning::new("not_in_profile", message));
    rendered
}
