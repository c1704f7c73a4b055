//! What a client keeps between a question and the next request: signed, so that nobody on the way changes it.

use std::{
    collections::BTreeMap,
    fmt,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use hmac::{Hmac, KeyInit as _, Mac as _};
use rmcp::{ErrorData, model::ElicitResult};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::digest::hex;

/// How long a question can be answered.
const VALID: Duration = Duration::from_secs(24 * 60 * 60);

/// The key by which states are signed.
#[derive(Clone)]
pub(crate) struct StateKey([u8; 32]);

/// The state. What it is for (the owner, and what is requested) is signed with it.
#[derive(Serialize, Deserialize)]
pub(super) struct Known {
    /// The prefix of the idempotency key, which is that of the first call.
    pub(super) id: String,
    pub(super) answers: BTreeMap<String, ElicitResult>,
    /// The digests of the questions, by their keys.
    pub(super) questions: BTreeMap<String, String>,
    /// The end of its time, in seconds since 1970.
    until: u64,
}

impl Known {
    pub(super) fn new(
        id: String,
        answers: BTreeMap<String, ElicitResult>,
        questions: BTreeMap<String, String>,
    ) -> Self {
        let until = now().saturating_add(VALID.as_secs());
        Self {
            id,
            answers,
            questions,
            until,
        }
    }
}

impl StateKey {
    pub(crate) fn new(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// A key that no other process has.
    ///
    /// # Panics
    ///
    /// When the operating system has no randomness: maps of the standard library do so as well.
    pub(crate) fn random() -> Self {
        let mut key = [0; 32];
        getrandom::fill(&mut key).expect("the operating system has randomness");
        Self(key)
    }

    /// Signs a state for what `about` says.
    pub(super) fn sign(&self, about: &str, known: &Known) -> Option<String> {
        let json = serde_json::to_string(known).ok()?;
        let mac = self.mac(about, &json).finalize().into_bytes();
        Some(format!("{}.{json}", hex(&mac)))
    }

    /// Reads a state that was signed for the same.
    pub(super) fn read(&self, about: &str, state: &str) -> Result<Known, ErrorData> {
        let signed = state.split_once('.').filter(|(mac, json)| {
            let mac = bytes(mac).unwrap_or_default();
            self.mac(about, json).verify_slice(&mac).is_ok()
        });
        let known = signed.and_then(|(_, json)| serde_json::from_str::<Known>(json).ok());
        let known = known.filter(|known| known.until > now());
        known.ok_or_else(|| {
            let why = "`requestState` is too old, or not that of this request: send the request without it";
            ErrorData::invalid_params(why, None)
        })
    }

    fn mac(&self, about: &str, json: &str) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key may have any length");
        // What it is about has always the same length: it is a digest.
        mac.update(about.as_bytes());
        mac.update(json.as_bytes());
        mac
    }
}

impl fmt::Debug for StateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StateKey(…)")
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs()
}

/// The bytes of hexadecimal digits.
fn bytes(digits: &str) -> Option<Vec<u8>> {
    let pairs = (0..digits.len()).step_by(2);
    pairs
        .map(|at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_has_its_time() {
        let key = StateKey::random();
        let mut known = Known::new("id".to_owned(), BTreeMap::new(), BTreeMap::new());
        let state = key.sign("call", &known).unwrap();
        assert_eq!(
            key.read("call", &state).map(|known| known.id),
            Ok("id".to_owned())
        );
        known.until = now();
        let state = key.sign("call", &known).unwrap();
        assert!(key.read("call", &state).is_err());
    }
}
