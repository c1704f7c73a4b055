//! Our definition of a tool as theirs.

use std::{collections::HashMap, fmt, sync::Arc};

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use toolwright_core::{
    Toolset,
    driver::Mutex,
    schema::Schema,
    tool::{Capabilities, ToolDefinition, ToolHints},
};

use super::Served;

/// The tools as they were seen last, and what was made of them since. A clone begins with none.
#[derive(Default)]
pub(crate) struct Seen(Mutex<Option<State>>);

struct State {
    tools: Toolset,
    /// The definitions as clients receive them, by name.
    shown: HashMap<String, Tool>,
    /// The tools that a caller may call, by what is granted.
    granted: HashMap<Capabilities, Toolset>,
}

/// The largest number of sets by what is granted.
const MAX_SETS: usize = 64;

impl State {
    fn shown(&mut self, served: &Served, name: &str) -> Option<&Tool> {
        let tool = self.tools.find(name)?;
        if !self.shown.contains_key(name) {
            let mut shown = of(tool.definition());
            shown.meta = served.tool_meta.get(name).cloned();
            self.shown.insert(name.to_owned(), shown);
        }
        self.shown.get(name)
    }

    fn granted(&mut self, granted: Capabilities) -> Toolset {
        if self.granted.len() == MAX_SETS {
            self.granted.clear();
        }
        let made = || {
            let tools = self.tools.clone().granted(granted);
            tools.filtered(|_, policy| !policy.external)
        };
        self.granted.entry(granted).or_insert_with(made).clone()
    }
}

impl Clone for Seen {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seen").finish_non_exhaustive()
    }
}

/// The definition as clients receive it: its name, texts and schemas are those of the tool.
fn of(definition: &ToolDefinition) -> Tool {
    let input = object(&definition.input_schema);
    let mut tool = Tool::new(
        definition.name.clone(),
        definition.description.clone(),
        Arc::new(input),
    );
    tool.title = definition.title.as_deref().map(ToOwned::to_owned);
    // Theirs is an object, too: another form of result has text alone.
    let output = definition.output_schema.as_ref().map(object);
    tool.output_schema = output.filter(is_object).map(Arc::new);
    tool.annotations = annotations(definition.hints);
    tool
}

impl Served {
    /// The definition of a tool as clients receive it, with what is passed on about the tool.
    pub(crate) fn shown(&self, name: &str) -> Option<Tool> {
        self.seen(|state| state.shown(self, name).cloned())
    }

    /// Whether the result of a call of a tool has structured content beside its text.
    pub(crate) fn is_structured(&self, name: &str) -> bool {
        self.seen(|state| {
            let shown = state.shown(self, name);
            shown.is_some_and(|tool| tool.output_schema.is_some())
        })
    }

    /// The tools that may be called by who is granted this, as they are now.
    pub(crate) fn tools_of(&self, granted: Capabilities) -> Toolset {
        self.seen(|state| state.granted(granted))
    }

    fn seen<T>(&self, read: impl FnOnce(&mut State) -> T) -> T {
        let tools = self.tools.snapshot();
        let mut seen = self.seen.0.lock();
        if !(seen.as_ref()).is_some_and(|state| state.tools.is_same(&tools)) {
            *seen = None;
        }
        read(seen.get_or_insert_with(|| State {
            tools,
            shown: HashMap::new(),
            granted: HashMap::new(),
        }))
    }
}

fn object(schema: &Schema) -> JsonObject {
    match schema.to_value() {
        serde_json::Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}

fn is_object(schema: &JsonObject) -> bool {
    schema.get("type").is_some_and(|kind| kind == "object")
}

/// `None` where nothing is said: a client then expects the worst.
fn annotations(hints: ToolHints) -> Option<ToolAnnotations> {
    let ToolHints {
        read_only,
        destructive,
        idempotent,
        open_world,
        ..
    } = hints;
    (hints != ToolHints::NONE)
        .then(|| ToolAnnotations::from_raw(None, read_only, destructive, idempotent, open_world))
}
