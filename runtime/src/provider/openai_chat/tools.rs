//! The tools of a request, and how the arguments of their calls come back.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError},
};

use serde::Serialize;

use crate::{
    json_text::JsonText,
    model::{ModelEvent, Warning},
    profile::{Cost, Profile, Reason, Rendered, Undo},
    schema::Schema,
    tool::{Strict, ToolDefinition, ToolDefinitions},
};

/// The tools of a request.
#[derive(Debug)]
pub(super) struct Sent {
    /// As they stand in the body.
    pub(super) json: JsonText,
    /// Of the tools whose arguments come in another form, by name.
    undo: HashMap<String, Undo>,
    /// Of the tools that are strict and cannot be sent so.
    warnings: Vec<Warning>,
}

#[derive(Debug, Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Debug, Serialize)]
struct Function<'a> {
    name: &'a str,
    description: &'a str,
    /// Left out where a profile sends none.
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<&'a Schema>,
    /// Left out it is false.
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
}

/// The tools on offer, as they are sent. Rendered once for a set.
pub(super) fn sent(definitions: &ToolDefinitions) -> Arc<Sent> {
    definitions.prepared("openai_chat", |definitions| Sent::new(definitions, render))
}

/// The tools on offer in the form of a profile. Rendered once for a set and a profile.
pub(super) fn sent_in(definitions: &ToolDefinitions, profile: &Profile) -> Arc<Sent> {
    type InProfiles = Mutex<Vec<(Profile, Arc<Sent>)>>;
    let all = definitions.prepared("openai_chat in profiles", |_| InProfiles::default());
    // A panic in rendering leaves the list as it was.
    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, sent)) = all.iter().find(|(known, _)| known == profile) {
        return Arc::clone(sent);
    }
    let render = |definition: &_, spent: &mut _, warnings: &mut _| {
        render_in(profile, definition, spent, warnings)
    };
    let sent = Arc::new(Sent::new(definitions, render));
    all.push((profile.clone(), Arc::clone(&sent)));
    sent
}

impl Sent {
    fn new(
        definitions: &[ToolDefinition],
        render: impl Fn(&ToolDefinition, &mut Cost, &mut Vec<Warning>) -> Option<Rendered>,
    ) -> Self {
        let mut warnings = Vec::new();
        let mut spent = Cost::default();
        let rendered: Vec<_> = definitions
            .iter()
            .map(|definition| render(definition, &mut spent, &mut warnings))
            .collect();
        let all = definitions.iter().zip(&rendered);
        let tools: Vec<_> = all
            .map(|(definition, sent)| Tool::new(definition, sent.as_ref()))
            .collect();
        let json =
            JsonText::of(&tools).unwrap_or_else(|_| unreachable!("names and schemas are JSON"));
        let undo = rendered
            .into_iter()
            .flatten()
            .filter(|sent| !sent.undo.is_empty());
        Self {
            json,
            undo: undo
                .map(|sent| (sent.name.into_owned(), sent.undo))
                .collect(),
            warnings,
        }
    }

    /// The arguments of a call as the tool takes them.
    pub(super) fn undo(&self, name: &str, arguments: &mut String) {
        if let Some(undo) = self.undo.get(name)
            && let Cow::Owned(own) = undo.apply(arguments)
        {
            *arguments = own;
        }
    }

    /// The arguments of an earlier call as the model knows them.
    pub(super) fn redo<'t>(&self, name: &str, arguments: &'t str) -> Cow<'t, str> {
        match self.undo.get(name) {
            Some(undo) => undo.redo(arguments),
            None => Cow::Borrowed(arguments),
        }
    }
}

/// The form of a tool; `None` to send it as it is. A tool that is not strict, or by rules that
/// another provider has, is shown to the model and not enforced.
fn render(
    definition: &ToolDefinition,
    spent: &mut Cost,
    warnings: &mut Vec<Warning>,
) -> Option<Rendered> {
    let strict = definition
        .strict
        .filter(|strict| *strict != Strict::Anthropic);
    if let Some(strict) = strict {
        match Profile::of(strict).render_within(definition, spent) {
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
    // Servers that speak this protocol differ in what they take: what OpenAI refuses is sent as it
    // is, since the next server may not.
    Profile::openai().render(definition).ok()
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

impl<'a> Tool<'a> {
    fn new(definition: &'a ToolDefinition, sent: Option<&'a Rendered>) -> Self {
        let parameters = match sent {
            Some(sent) => sent.parameters.as_ref(),
            None => Some(&definition.input_schema),
        };
        let strict = sent.is_some_and(|sent| sent.strict);
        Self {
            r#type: "function",
            function: Function {
                name: &definition.name,
                description: sent.map_or(&*definition.description, |sent| &*sent.description),
                parameters,
                strict: strict.then_some(true),
            },
        }
    }
}

/// Turns the arguments of calls into those of the tools, while a reply comes.
///
/// The text of a call that comes in another form is held back until the reply ends.
#[derive(Debug)]
pub(super) struct Undoing {
    sent: Arc<Sent>,
    /// The name and the text so far of the calls that are held back, by number.
    held: BTreeMap<usize, (String, String)>,
}

impl Undoing {
    pub(super) fn new(sent: Arc<Sent>) -> Self {
        Self {
            sent,
            held: BTreeMap::new(),
        }
    }

    /// Changes the events from a place on.
    pub(super) fn take(&mut self, events: &mut Vec<ModelEvent>, from: usize) {
        if self.sent.undo.is_empty() && self.sent.warnings.is_empty() {
            return;
        }
        for event in events.split_off(from) {
            match event {
                ModelEvent::CallStarted {
                    index, ref name, ..
                } => {
                    if self.sent.undo.contains_key(name) {
                        self.held
                            .entry(index)
                            .or_insert_with(|| (name.clone(), String::new()));
                    }
                    events.push(event);
                }
                ModelEvent::CallArguments { index, text } => match self.held.get_mut(&index) {
                    Some((_, held)) => held.push_str(&text),
                    None => events.push(ModelEvent::CallArguments { index, text }),
                },
                ModelEvent::Finished { .. } => {
                    self.finish(events);
                    events.extend(self.sent.warnings.iter().cloned().map(ModelEvent::Warning));
                    events.push(event);
                }
                event => events.push(event),
            }
        }
    }

    /// Tells what was held back. A text that was cut off comes as it is.
    pub(super) fn finish(&mut self, events: &mut Vec<ModelEvent>) {
        for (index, (name, mut text)) in std::mem::take(&mut self.held) {
            self.sent.undo(&name, &mut text);
            events.push(ModelEvent::CallArguments { index, text });
        }
    }
}
