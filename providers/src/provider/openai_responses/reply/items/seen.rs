//! State of the items of a response.

use toolwright_json::raw::Raw;
use toolwright_json::string::text_of;

use super::super::super::{
    event,
    item::{COMMENTARY, CUSTOM_CALL, FUNCTION_CALL, MESSAGE, PHASE, REASONING, RUN_BY_SERVER},
};
use crate::codec::partial_object;

/// The kind of an item.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Message,
    Reasoning,
    Call,
    /// One for the provider alone: what it ran itself, and whatever is new.
    #[default]
    Other,
}

impl Kind {
    pub(super) const ALL: [Self; 4] = [Self::Message, Self::Reasoning, Self::Call, Self::Other];
}

/// An item that has begun, or has come whole: what has been told of it, and what tells it from others.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) kind: Kind,
    /// Its type, for one of another kind.
    pub(super) type_name: String,
    /// Its place in the response, as the server numbers it.
    pub(super) index: Option<u64>,
    pub(super) id: String,
    /// The id of a call, and of what a server ran itself.
    pub(super) call_id: String,
    /// The name of a call.
    pub(super) name: String,
    /// The text, the reasoning or the arguments that have been emitted.
    pub(super) words: String,
    /// The whole arguments that a call began with, which are emitted if no others come.
    pub(super) begun_with: String,
    /// The start of the last part of the words, and the key of that part.
    pub(super) part: (usize, PartKey),
    /// The refusal that has been emitted.
    pub(super) refusal: String,
    /// The body of a whole item that has no words.
    pub(super) body: String,
    /// It is whole.
    pub(super) done: bool,
    /// It is a message beside the answer.
    pub(super) commentary: bool,
}

/// The key of a part within its item: its kind and its number.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct PartKey {
    pub(super) summary: bool,
    pub(super) number: Option<u64>,
}

impl PartKey {
    /// Returns true if both may be the same part. Servers sometimes leave out the number.
    pub(super) fn may_be(self, other: Self) -> bool {
        let is_number =
            self.number.is_none() || other.number.is_none() || self.number == other.number;
        self.summary == other.summary && is_number
    }

    /// Returns true if the part is certainly before the other.
    pub(super) fn is_before(self, other: Self) -> bool {
        self.summary == other.summary && self.number.is_some() && self.number < other.number
    }
}

/// An item as it came.
#[derive(Debug)]
pub(super) struct Came<'a> {
    pub(super) raw: Raw<'a>,
    pub(super) kind: Kind,
    pub(super) type_name: String,
    pub(super) id: String,
    pub(super) call_id: String,
    pub(super) name: String,
    /// It is a message beside the answer.
    pub(super) commentary: bool,
    pub(super) fields: event::Item<'a>,
}

impl<'a> Came<'a> {
    /// Reads an item; `None` if it cannot be read.
    pub(super) fn read(raw: Raw<'a>) -> Option<Self> {
        let fields: event::Item<'a> = partial_object::parse(raw.get()).ok()?;
        let text = |field: Option<Raw<'_>>| field.map(text_of).unwrap_or_default().into_owned();
        let (type_name, call_id) = (text(fields.kind), text(fields.call_id));
        let kind = match &*type_name {
            MESSAGE => Kind::Message,
            REASONING => Kind::Reasoning,
            FUNCTION_CALL => Kind::Call,
            CUSTOM_CALL if !call_id.starts_with(RUN_BY_SERVER) => Kind::Call,
            _ => Kind::Other,
        };
        let mut rest = fields.rest.iter();
        let commentary = kind == Kind::Message
            && rest.any(|(name, raw)| name == PHASE && text_of(*raw) == COMMENTARY);
        Some(Self {
            raw,
            kind,
            commentary,
            type_name,
            id: text(fields.id),
            call_id,
            name: text(fields.name),
            fields,
        })
    }
}

impl Seen {
    /// An item at a place, of which nothing else is known.
    pub(super) fn new(kind: Kind, index: Option<u64>) -> Self {
        Self {
            kind,
            index,
            ..Self::default()
        }
    }

    /// Takes what an item says of itself, as far as it is not known.
    pub(super) fn identify(&mut self, came: &Came<'_>) {
        self.commentary |= came.commentary;
        let known = [
            (&mut self.id, &came.id),
            (&mut self.call_id, &came.call_id),
            (&mut self.name, &came.name),
            (&mut self.type_name, &came.type_name),
        ];
        for (known, came) in known {
            if known.is_empty() {
                known.clone_from(came);
            }
        }
    }

    /// Returns true if the item has a known id that is not this one.
    pub(super) fn has_other_id(&self, id: &str) -> bool {
        !self.id.is_empty() && !id.is_empty() && self.id != id
    }

    /// Returns true if it may be the item that came, as far as its kind and its ids show. An item that came
    /// in pieces has the kind that its pieces suggest; one of the kind `Other` without a type may have any
    /// type.
    pub(super) fn may_be(&self, came: &Came<'_>) -> bool {
        let is_kind = self.kind == came.kind
            && (self.kind != Kind::Other
                || self.type_name.is_empty()
                || self.type_name == came.type_name);
        let differ =
            |known: &str, came: &str| !known.is_empty() && !came.is_empty() && known != came;
        is_kind && !differ(&self.call_id, &came.call_id) && !differ(&self.name, &came.name)
    }
}
