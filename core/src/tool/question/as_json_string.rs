//! Stores the schema of a form as JSON in a string. It is kept to the byte, which serde cannot do directly within an enum
//! that is tagged inside, as a record is.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::Schema;

pub(super) fn serialize<S: Serializer>(schema: &Schema, serializer: S) -> Result<S::Ok, S::Error> {
    schema.as_str().serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Schema, D::Error> {
    Schema::from_text(String::deserialize(deserializer)?).map_err(D::Error::custom)
}
