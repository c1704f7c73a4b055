//! Values in columns, as JSON.

use serde::{Serialize, de::DeserializeOwned};
use toolwright_runtime::store::{StoreError, StoreErrorKind};

use crate::failure::Failure;

/// The text of a value. `what` names it.
pub(crate) fn write(value: &impl Serialize, what: &str) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| {
        let message = format!("{what} cannot be written as JSON: {error}");
        StoreError::new(StoreErrorKind::Corrupt, message).into()
    })
}

/// The value of a text. `what` names it.
pub(crate) fn read<T: DeserializeOwned>(text: &str, what: &str) -> Result<T, Failure> {
    serde_json::from_str(text)
        .map_err(|error| Failure::corrupt(&format!("{what} cannot be read: {error}")))
}
