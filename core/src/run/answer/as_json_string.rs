//! Stores the schema of an answer as JSON in a string. It is kept to the byte, which serde cannot do directly within an
//! enum that is tagged inside, as a record is.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use crate::model::AnswerSchema;

pub(super) fn serialize<S: Serializer>(
    schema: &AnswerSchema,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let text = serde_json::to_string(schema).map_err(ser::Error::custom)?;
    text.serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<AnswerSchema, D::Error> {
    let text = String::deserialize(deserializer)?;
    serde_json::from_str(&text).map_err(de::Error::custom)
}
