//! Stores the definition of a tool as JSON in a string. Its schemas are kept to the byte, which serde cannot do directly
//! within an enum that is tagged inside, and a store that sorts keys leaves it as it is.

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::Error};

use crate::tool::ToolDefinition;

#[expect(clippy::ref_option, reason = "serde calls it with the field")]
pub(super) fn serialize<S: Serializer>(
    tool: &Option<Box<ToolDefinition>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let text = tool.as_ref().map(serde_json::to_string).transpose();
    text.map_err(S::Error::custom)?.serialize(serializer)
}

/// A definition that this version cannot read counts as unknown: the log stays readable, and the approval is requested
/// again.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Box<ToolDefinition>>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
}
