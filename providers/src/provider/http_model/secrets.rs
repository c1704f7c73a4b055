//! Secrets that an error must not show: servers quote the requests that they receive.

use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value};
use toolwright_core::model::ModelError;

use crate::transport::OutgoingRequest;

/// The minimum length of a secret. A shorter string is no secret, and occurs in many texts by chance.
const SHORTEST_SECRET: usize = 8;

/// The secrets of one request.
#[derive(Debug, Default)]
pub(super) struct Secrets(Vec<SecretString>);

impl Secrets {
    pub(super) fn add(&mut self, secret: SecretString) {
        if secret.expose_secret().len() >= SHORTEST_SECRET {
            self.0.push(secret);
        }
    }

    /// Adds the values of headers, and what stands behind a word such as `Bearer` in them.
    pub(super) fn add_headers(&mut self, request: &OutgoingRequest) {
        for value in request.secrets() {
            self.add(value.into());
            if let Some((_, rest)) = value.split_once(' ') {
                self.add(rest.into());
            }
        }
    }

    /// Takes out of the headers of a response those that hold one.
    pub(super) fn hide_in(&self, headers: &mut Map<String, Value>) {
        headers.retain(|_, value| {
            let value = value.as_str().unwrap_or_default();
            let mut secrets = self.0.iter().map(ExposeSecret::expose_secret);
            !secrets.any(|secret| value.contains(secret))
        });
    }

    /// Takes them out of an error.
    pub(super) fn hide(&self, error: ModelError) -> ModelError {
        // The longest first: what is hidden of a part would leave the rest of the whole.
        let mut secrets: Vec<_> = self.0.iter().map(ExposeSecret::expose_secret).collect();
        secrets.sort_unstable_by_key(|secret| std::cmp::Reverse(secret.len()));
        secrets.into_iter().fold(error, ModelError::without)
    }
}
