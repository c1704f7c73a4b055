//! By what a message is known again that a check has changed.

use sha2::{Digest, Sha256};

use super::UserMessage;

/// The digest of a message, in hexadecimal digits.
pub fn digest(message: &UserMessage) -> String {
    let message = serde_json::to_vec(message).unwrap_or_default();
    let digest = Sha256::digest(message);
    digest.iter().fold(String::new(), |digest, byte| {
        digest + &format!("{byte:02x}")
    })
}
