//! The key of a provider, and where it comes from.

use std::{borrow::Cow, fmt, sync::Arc};

use secrecy::{ExposeSecret, SecretString};
use toolwright_core::{
    model::{ModelError, ModelErrorKind},
    tool::BoxFuture,
};

use crate::provider::application_error::{Failed, of_application};

/// The key of a provider, which is never shown and is wiped out of memory when it is dropped.
///
/// Made of text, or of a [`SecretString`] of the crate `secrecy`. While a request is sent, the
/// connection has copies of it.
///
/// ```
/// use toolwright::provider::ApiKey;
///
/// let key = ApiKey::from("sk-123");
/// assert_eq!(format!("{key:?}"), "ApiKey(hidden)");
/// ```
#[derive(Clone)]
pub struct ApiKey(SecretString);

impl ApiKey {
    pub(super) fn text(&self) -> &str {
        self.0.expose_secret()
    }

    pub(super) fn into_secret(self) -> SecretString {
        self.0
    }
}

impl From<SecretString> for ApiKey {
    fn from(key: SecretString) -> Self {
        Self(key)
    }
}

impl From<String> for ApiKey {
    fn from(key: String) -> Self {
        Self(key.into())
    }
}

impl From<&String> for ApiKey {
    fn from(key: &String) -> Self {
        Self(key.as_str().into())
    }
}

impl From<&str> for ApiKey {
    fn from(key: &str) -> Self {
        Self(key.into())
    }
}

impl From<Box<str>> for ApiKey {
    fn from(key: Box<str>) -> Self {
        Self(key.into_string().into())
    }
}

impl From<Cow<'_, str>> for ApiKey {
    fn from(key: Cow<'_, str>) -> Self {
        Self(key.into_owned().into())
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(hidden)")
    }
}

type Ask = dyn Fn() -> BoxFuture<'static, Result<ApiKey, Failed>> + Send + Sync;

/// The source of the key.
#[derive(Clone)]
pub(super) enum KeySource {
    Fixed(ApiKey),
    Source(Arc<Ask>),
}

impl KeySource {
    pub(super) fn asked<F, G, K>(source: F) -> Self
    where
        F: Fn() -> G + Send + Sync + 'static,
        G: Future<Output = Result<K, Failed>> + Send + 'static,
        K: Into<ApiKey>,
    {
        Self::Source(Arc::new(move || {
            let key = source();
            Box::pin(async { key.await.map(Into::into) })
        }))
    }

    /// The key of one request.
    pub(super) async fn key(&self) -> Result<ApiKey, ModelError> {
        match self {
            Self::Fixed(key) => Ok(key.clone()),
            Self::Source(source) => source().await.map_err(|error| {
                of_application(error, ModelErrorKind::Authentication, "there is no key")
            }),
        }
    }
}
