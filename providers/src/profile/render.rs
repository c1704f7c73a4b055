//! A definition in the form of a provider.

mod choice;
mod form;
mod keywords;
mod list;
mod map;
mod merge;
mod null;
mod object;
mod pattern;
mod reference;
mod root;
mod union;
mod variants;

use std::borrow::Cow;

use toolwright_core::{schema::Schema, tool::ToolDefinition};
use toolwright_json::tree::{Json, Object, Unreadable};

use super::{
    ArgumentMapping, Closing, Cost, Loss, LossKind, Nulls, Profile, Reason, Refusal, Untyped,
    restore::{KEEP, Plan, Step, StepId},
};
use reference::References;

/// The maximum depth of nested schemas, references written out.
const MAX_DEPTH: usize = 40;

/// The maximum number of schemas in one schema, references written out.
const MAX_PLACES: usize = 20_000;

/// The maximum number of bytes that are written and copied, approximately, references written out.
const MAX_BYTES: usize = 4 << 20;

/// A tool as a provider is sent it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Rendered {
    /// The name.
    pub name: Cow<'static, str>,
    /// The description of the tool.
    pub description: Cow<'static, str>,
    /// The schema of the arguments; `None` where a tool without parameters is sent without one.
    pub parameters: Option<Schema>,
    /// True if the tool is sent with `strict: true`.
    pub strict: bool,
    /// The parts of the definition that are changed or left out.
    pub losses: Vec<Loss>,
    /// The mapping of the arguments from the form of the provider to that of the tool.
    pub mapping: ArgumentMapping,
    /// The share of the tool in the limits of a request.
    pub cost: Cost,
    /// True if the schema is written in the subset of `OpenAPI`.
    pub(crate) open_api: bool,
}

impl Profile {
    /// Writes a tool in the form of this profile. The same definition gives the same bytes.
    ///
    /// # Errors
    ///
    /// Returns the place and the reason if the provider would refuse the definition, and no other form
    /// has the same meaning.
    pub fn render(&self, tool: &ToolDefinition) -> Result<Rendered, Refusal> {
        render(self, tool).map_err(|Fault { path, reason }| Refusal {
            tool: tool.name.clone(),
            profile: self.name.clone(),
            path,
            reason,
        })
    }
}

fn render(profile: &Profile, tool: &ToolDefinition) -> Result<Rendered, Fault> {
    if !profile.tool_names.accepts(&tool.name) {
        let name = tool.name.clone().into_owned();
        let allowed = profile.tool_names.to_string();
        return Err(Fault::new("name", Reason::Name { name, allowed }));
    }
    let text = tool.input_schema.as_str();
    let written = Json::parse(text.trim_ascii()).map_err(|unreadable| {
        let limit = toolwright_json::tree::MAX_DEPTH;
        let reason = match unreadable {
            Unreadable::TooDeep => Reason::TooDeep { limit },
            Unreadable::HalfCharacter => Reason::HalfCharacter,
        };
        Fault::new(root::PATH, reason)
    })?;
    let schema = toolwright_json::schema_draft::upgrade::modern(written.clone());
    let is_modern = schema == written;
    drop(written);
    let mut renderer = Renderer::new(profile, &schema);
    let (sent, step) = renderer.root()?;
    renderer.check_size(&At::root())?;
    let is_empty = sent.as_ref().is_some_and(root::is_empty);
    let parameters = match sent {
        _ if profile.omit_empty && is_empty => None,
        None if is_modern => Some(tool.input_schema.clone()),
        None => Some(schema_of(&schema)),
        Some(sent) => Some(schema_of(&sent.into())),
    };
    let mut losses = renderer.losses;
    let description = match profile.max_description_chars {
        Some(limit) if tool.description.chars().count() > limit => {
            losses.push(Noted {
                path: "description".into(),
                keyword: "description".into(),
                kind: LossKind::Dropped,
            });
            let cut = tool.description.chars().take(limit.saturating_sub(1));
            cut.chain(['…']).collect::<String>().into()
        }
        _ => tool.description.clone(),
    };
    let loss = |Noted {
                    path,
                    keyword,
                    kind,
                }| Loss {
        tool: tool.name.clone(),
        path,
        keyword,
        kind,
    };
    let cost = Cost {
        tools: 1,
        strict_tools: usize::from(profile.strict),
        ..renderer.cost
    };
    if profile.strict
        && let Some((what, limit)) = profile.budget.passed_by(cost)
    {
        return Err(Fault::new(root::PATH, Reason::TooMuch { what, limit }));
    }
    Ok(Rendered {
        name: tool.name.clone(),
        description,
        parameters,
        strict: profile.strict,
        losses: losses.into_iter().map(loss).collect(),
        mapping: renderer.plan.finish(step, &schema),
        cost,
        open_api: profile.nulls == Nulls::Keyword,
    })
}

fn schema_of(json: &Json) -> Schema {
    Schema::from_text(json.to_string()).unwrap_or_else(|_| unreachable!("a JSON tree is JSON"))
}

/// A place that cannot be sent.
struct Fault {
    path: String,
    reason: Reason,
}

impl Fault {
    fn new(path: impl Into<String>, reason: Reason) -> Self {
        Self {
            path: path.into(),
            reason,
        }
    }
}

/// A loss, but for the tool.
#[derive(PartialEq)]
struct Noted {
    path: String,
    keyword: String,
    kind: LossKind,
}

/// The position of a schema.
#[derive(Clone)]
struct At {
    path: String,
    /// The number of schemas around it.
    depth: usize,
    /// The number of objects around it.
    level: usize,
    /// True if a member above it may be left out.
    is_below_optional: bool,
}

impl At {
    /// The arguments themselves.
    fn root() -> Self {
        Self {
            path: root::PATH.to_owned(),
            depth: 0,
            level: 0,
            is_below_optional: false,
        }
    }

    fn fault(&self, reason: Reason) -> Fault {
        Fault::new(self.path.clone(), reason)
    }

    /// A schema in this one.
    fn inner(&self, step: &str) -> Self {
        Self {
            path: format!("{}{step}", self.path),
            depth: self.depth + 1,
            ..self.clone()
        }
    }
}

/// A schema as it is sent, and how its values come back.
struct Sent {
    schema: Object,
    step: StepId,
}

struct Renderer<'r> {
    profile: &'r Profile,
    /// The tool's own schema, where references lead.
    root: &'r Json,
    losses: Vec<Noted>,
    plan: Plan,
    cost: Cost,
    references: References,
    /// The number of schemas written so far.
    places: usize,
    /// The approximate number of bytes written and copied so far.
    bytes: usize,
    /// The deepest level of objects so far.
    deepest: usize,
}

impl<'r> Renderer<'r> {
    fn new(profile: &'r Profile, root: &'r Json) -> Self {
        Self {
            profile,
            root,
            losses: Vec::new(),
            plan: Plan::new(),
            cost: Cost::default(),
            references: References::default(),
            places: 0,
            bytes: 0,
            deepest: 0,
        }
    }

    fn lose(&mut self, at: &At, keyword: &str, kind: LossKind) {
        let noted = Noted {
            path: at.path.clone(),
            keyword: keyword.to_owned(),
            kind,
        };
        // A union says the same of each of its variants.
        if self.losses.last() != Some(&noted) {
            self.losses.push(noted);
        }
    }

    /// Counts bytes that are written or copied.
    fn spend(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes);
    }

    /// Refuses what is too large.
    fn check_size(&self, at: &At) -> Result<(), Fault> {
        if self.places > MAX_PLACES {
            return Err(at.fault(Reason::TooLarge { limit: MAX_PLACES }));
        }
        if self.bytes > MAX_BYTES {
            return Err(at.fault(Reason::TooLong { limit: MAX_BYTES }));
        }
        Ok(())
    }

    /// Writes one schema.
    fn place(&mut self, schema: &Json, at: &At) -> Result<Sent, Fault> {
        self.places += 1;
        if at.depth > MAX_DEPTH {
            return Err(at.fault(Reason::TooDeep { limit: MAX_DEPTH }));
        }
        self.check_size(at)?;
        match schema {
            Json::Object(schema) => match null::without_null(schema) {
                Some(schema) => {
                    let sent = self.not_null(&schema, at)?;
                    Ok(self.or_null(sent))
                }
                None => self.not_null(schema, at),
            },
            Json::Bool(false) => Err(at.fault(Reason::Nothing)),
            _ => self.not_null(&Object::new(), at),
        }
    }

    /// Writes a schema of which null is no part, or the only one.
    fn not_null(&mut self, schema: &Object, at: &At) -> Result<Sent, Fault> {
        if schema.contains("$ref") {
            return self.reference(schema, at);
        }
        if schema.contains("allOf") {
            let merged = self.merged(schema, at)?;
            return self.place(&merged.into(), &at.inner(""));
        }
        if let Some(values) = choice::values(schema) {
            return self.choice(schema, &values, at);
        }
        if schema.contains("anyOf") || schema.contains("oneOf") {
            return self.union(schema, at);
        }
        match kind(schema) {
            Some(Kind::One("object")) => self.object(schema, at),
            Some(Kind::One("array")) => self.list(schema, at),
            Some(Kind::One(name)) => {
                let sent = form::of_type(name);
                Ok(self.words(sent, schema, &["type"], &[], KEEP, at))
            }
            Some(Kind::Several(names)) => self.several(schema, &names, at),
            None => Ok(self.untyped(schema, at)),
        }
    }

    /// Writes a place where any value may stand.
    fn untyped(&mut self, schema: &Object, at: &At) -> Sent {
        match self.profile.untyped {
            Untyped::AsIs => self.words(Object::new(), schema, &[], &[], KEEP, at),
            Untyped::JsonString => {
                let sent = form::of_type("string");
                let step = self.plan.add(Step::Text);
                let note = "any JSON value, written as JSON text".to_owned();
                self.words(sent, schema, &[], &[note], step, at)
            }
        }
    }

    /// Says that an object has no other members.
    fn close(&self, sent: &mut Object) {
        if self.profile.closing == Closing::Always {
            sent.push("additionalProperties", Json::Bool(false));
        }
    }
}

/// The types that a schema allows for its values.
enum Kind<'s> {
    One(&'s str),
    Several(Vec<&'s str>),
}

/// The types of a schema; if it names none that there is, the one that its other keywords are about.
fn kind(schema: &Object) -> Option<Kind<'_>> {
    match schema.get("type") {
        Some(Json::String(name)) if form::is_type(name) => return Some(Kind::One(name)),
        Some(Json::List(all)) => {
            let mut names = Vec::new();
            for name in all.iter().filter_map(Json::as_str) {
                if form::is_type(name) && !names.contains(&name) {
                    names.push(name);
                }
            }
            match names.as_slice() {
                [] => {}
                [name] => return Some(Kind::One(name)),
                _ => return Some(Kind::Several(names)),
            }
        }
        _ => {}
    }
    let about = schema.keys().find_map(form::kind_of);
    about.map(Kind::One)
}
