//! What is passed on to clients as it is: `_meta`.

use rmcp::model::{JsonObject, MetaObject};
use serde_json::Value;

/// Adds entries to what is passed on.
pub(crate) fn extend<K: Into<String>>(
    meta: &mut Option<MetaObject>,
    entries: impl IntoIterator<Item = (K, Value)>,
) {
    let all = meta.get_or_insert_with(|| JsonObject::new().into());
    let entries = entries.into_iter();
    all.0
        .extend(entries.map(|(key, value)| (key.into(), value)));
}
