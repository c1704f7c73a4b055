//! Marks in a conversation that was read from a list of messages of a provider.
//!
//! They hold what such a list says in a form that no part has: marks for a cache, names, the fields of results.
//! A mark is an opaque part with the one field `imported`. It changes the form in which other parts are
//! written for its protocol, and never what they say.

use serde_json::{Map, Value};
use toolwright_core::{
    message::{Message, Opaque, Part, Turn},
    model::ModelRequest,
};

use super::opaque_fields::OpaqueFields;

/// The field of an opaque part that is a mark.
pub(crate) const IMPORTED: &str = "imported";

/// In a mark: the fields of the block just before it.
const FIELDS: &str = "fields";
/// In a mark: the fields of the message that it stands in.
const MESSAGE: &str = "message";
/// In a mark: the forms of the results of a response, by the number of the call.
const RESULTS: &str = "results";
/// In a mark: the system text of the conversation as it came.
const SYSTEM: &str = "system";

/// A mark for the fields of the block just before.
pub(crate) fn fields_mark(codec: &str, fields: Map<String, Value>) -> Part {
    mark(codec, FIELDS, fields)
}

/// A mark for the fields of the message that it stands in.
pub(crate) fn message_mark(codec: &str, fields: Map<String, Value>) -> Part {
    mark(codec, MESSAGE, fields)
}

/// A mark for the forms of the results of the response that it stands in.
pub(crate) fn results_mark(codec: &str, forms: Map<String, Value>) -> Part {
    mark(codec, RESULTS, forms)
}

/// A mark for the system text, which stands in the first message.
pub(crate) fn system_mark(codec: &str, form: Value) -> Part {
    mark(codec, SYSTEM, form)
}

fn mark(codec: &str, name: &str, value: impl Into<Value>) -> Part {
    let inner = Map::from_iter([(name.to_owned(), value.into())]);
    Part::Opaque(Opaque {
        provider: codec.to_owned(),
        data: Value::Object(Map::from_iter([(IMPORTED.to_owned(), inner.into())])),
    })
}

/// Returns true for a mark, of whichever protocol.
pub(crate) fn is_mark(data: &Value) -> bool {
    data.get(IMPORTED).is_some()
}

/// The value of a mark. It is that of the protocol, whichever server is asked.
fn value_of<'a>(part: &'a Part, provider: &str, name: &str) -> Option<&'a Value> {
    let Part::Opaque(opaque) = part else {
        return None;
    };
    let codec = provider.split(':').next().unwrap_or_default();
    (opaque.provider == codec).then(|| opaque.data.get(IMPORTED)?.get(name))?
}

/// The fields of the block just before, if this part is a mark of such.
pub(crate) fn fields_of<'a>(part: &'a Part, provider: &str) -> Option<&'a Map<String, Value>> {
    value_of(part, provider, FIELDS)?.as_object()
}

/// The fields of a message of the user.
pub(crate) fn message_of<'a>(parts: &'a [Part], provider: &str) -> Option<&'a Map<String, Value>> {
    parts
        .iter()
        .find_map(|part| value_of(part, provider, MESSAGE)?.as_object())
}

/// The forms of the results of a response.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ResultForms<'a>(Option<&'a Map<String, Value>>);

impl<'a> ResultForms<'a> {
    /// Returns the forms in the marks of a response.
    pub(crate) fn of(parts: &'a [Part], provider: &str) -> Self {
        Self(
            parts
                .iter()
                .find_map(|part| value_of(part, provider, RESULTS)?.as_object()),
        )
    }

    /// The form of the result of a call, by the number of the call.
    pub(crate) fn get(self, number: usize) -> ResultForm<'a> {
        let form = self.0.and_then(|forms| forms.get(&number.to_string()));
        ResultForm(form.and_then(Value::as_object))
    }
}

/// The form of one result.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ResultForm<'a>(Option<&'a Map<String, Value>>);

/// In the form of a result: its error is the message alone, without our words before it.
pub(crate) const PLAIN_ERROR: &str = "plain_error";
/// In the form of a result: the key that its value stands under.
pub(crate) const KEY: &str = "key";
/// In the form of a result: its texts are a list of blocks.
pub(crate) const LIST: &str = "list";

impl<'a> ResultForm<'a> {
    /// Returns true if the error is sent as its message alone.
    pub(crate) fn is_plain_error(self) -> bool {
        self.0
            .is_some_and(|form| form.get(PLAIN_ERROR) == Some(&Value::Bool(true)))
    }

    /// Returns true if its texts are a list of blocks.
    pub(crate) fn is_list(self) -> bool {
        self.0
            .is_some_and(|form| form.get(LIST) == Some(&Value::Bool(true)))
    }

    /// The key that the value stands under.
    pub(crate) fn key(self) -> Option<&'a str> {
        self.0?.get(KEY)?.as_str()
    }

    /// Other fields of the result.
    pub(crate) fn fields(self, reserved: &'static [&'static str]) -> OpaqueFields<'a> {
        let fields = self.0.and_then(|form| form.get(FIELDS)?.as_object());
        OpaqueFields::new(fields, reserved)
    }
}

/// A form of a result that has these fields.
pub(crate) fn with_fields(form: &mut Map<String, Value>, fields: Map<String, Value>) {
    if !fields.is_empty() {
        form.insert(FIELDS.to_owned(), fields.into());
    }
}

/// The system text of a request in the form in which it was read, as long as that says the same.
pub(crate) fn system_of<'a>(
    request: &'a ModelRequest,
    provider: &str,
    says: fn(&Value) -> Option<String>,
) -> Option<&'a Value> {
    let turn = request.messages.first().and_then(first_turn)?;
    let form = turn
        .iter()
        .find_map(|part| value_of(part, provider, SYSTEM))?;
    (says(form) == request.system).then_some(form)
}

fn first_turn(message: &Message) -> Option<&[Part]> {
    match message.turns().next()? {
        Turn::User(parts) | Turn::Assistant(parts) => Some(parts),
        Turn::Results(_) => None,
    }
}
