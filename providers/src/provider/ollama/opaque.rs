//! Opaque parts: what goes back to this API unchanged.
//!
//! The API documents nothing of the kind. Its data is `{"call": …, "fields": {…}}`: the number of a call,
//! and the fields of it that have no name in this codec.

use serde_json::{Map, Value};
use toolwright_core::message::Opaque;
use toolwright_json::bounded::parse_bounded;

use super::PROVIDER;
use crate::codec::partial_object::Rest;

/// The part for the unknown fields of a call; `None` where there are none.
pub(super) fn beside_call(number: usize, rest: Rest<'_>) -> Option<Opaque> {
    let fields: Map<String, Value> = rest
        .into_iter()
        .filter_map(|(name, value)| {
            // A value that is nested too deep to be read is left out.
            let value = parse_bounded(value.get())?;
            Some((name.into_owned(), value))
        })
        .collect();
    (!fields.is_empty()).then(|| Opaque {
        provider: PROVIDER.to_owned(),
        data: serde_json::json!({"call": number, "fields": fields}),
    })
}

/// The number of the call that a part belongs to, and its fields.
pub(super) fn fields_of_call(opaque: &Opaque) -> Option<(usize, &Map<String, Value>)> {
    let number = opaque.data["call"].as_u64()?;
    let fields = opaque.data["fields"].as_object()?;
    Some((usize::try_from(number).ok()?, fields))
}
