//! Where tokens are kept.

use std::{collections::HashMap, error::Error, fmt, sync::Arc, time::Duration};

use rmcp::transport::auth::{AuthError, CredentialStore, StoredCredentials};
use serde::{Deserialize, Serialize};
use tokio::{
    sync::{Mutex as Turn, watch},
    time::timeout,
};
use toolwright_core::{driver::Mutex, tool::BoxFuture};

/// The tokens of one person for one server, with what is needed to refresh them.
///
/// Its form as JSON, by serde, is a secret: whoever has it speaks for the person. `Debug` shows nothing of it.
#[derive(Clone, Serialize, Deserialize)]
pub struct Tokens {
    credentials: StoredCredentials,
    #[serde(flatten)]
    client: Registered,
}

/// How the program is known to the authorization server.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Registered {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) secret: Option<String>,
    #[serde(default)]
    pub(super) redirect: String,
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokens").finish_non_exhaustive()
    }
}

impl Tokens {
    pub(super) fn client_id(&self) -> &str {
        &self.credentials.client_id
    }

    /// A program that acts for itself has nowhere to come back to.
    pub(super) fn is_of_person(&self) -> bool {
        !self.client.redirect.is_empty()
    }

    pub(super) fn client(&self) -> &Registered {
        &self.client
    }

    pub(super) fn issuer(&self) -> Option<&str> {
        self.credentials.issuer.as_deref()
    }

    pub(super) fn scopes(&self) -> &[String] {
        &self.credentials.granted_scopes
    }
}

/// Keeps tokens, so that a person is not asked again after a restart.
///
/// A store is that of one person: a program for several gives each [`Authorization`](super::Authorization) a store that knows
/// its person. One `Authorization`, with its clones, uses it at a time: two of them, or two processes, would use the same refresh
/// token twice, and an authorization server may revoke all tokens then. Encrypt what it writes, or leave that to the key chain of the system.
///
/// `load` is called before each request to the server. Whatever takes longer than 30 seconds has failed.
///
/// ```
/// use std::{collections::HashMap, sync::Mutex};
/// use toolwright::{mcp::{TokenStore, TokenStoreError, Tokens}, tool::BoxFuture};
///
/// #[derive(Default)]
/// struct InMemory(Mutex<HashMap<String, String>>);
///
/// impl TokenStore for InMemory {
///     fn load<'a>(&'a self, server: &'a str) -> BoxFuture<'a, Result<Option<Tokens>, TokenStoreError>> {
///         Box::pin(async move {
///             let kept = self.0.lock().unwrap().get(server).cloned();
///             Ok(kept.map(|text| serde_json::from_str(&text)).transpose()?)
///         })
///     }
///
///     fn save<'a>(&'a self, server: &'a str, tokens: &'a Tokens) -> BoxFuture<'a, Result<(), TokenStoreError>> {
///         Box::pin(async move {
///             let text = serde_json::to_string(tokens)?;
///             self.0.lock().unwrap().insert(server.to_owned(), text);
///             Ok(())
///         })
///     }
///
///     fn clear<'a>(&'a self, server: &'a str) -> BoxFuture<'a, Result<(), TokenStoreError>> {
///         Box::pin(async move {
///             self.0.lock().unwrap().remove(server);
///             Ok(())
///         })
///     }
/// }
/// ```
pub trait TokenStore: Send + Sync + 'static {
    /// Loads the tokens for the server at this address.
    ///
    /// # Errors
    ///
    /// When the store cannot say whether there are any.
    fn load<'a>(
        &'a self,
        server: &'a str,
    ) -> BoxFuture<'a, Result<Option<Tokens>, TokenStoreError>>;

    /// Saves the tokens in the place of those before, which are worth nothing from now on.
    ///
    /// # Errors
    ///
    /// When they are not saved. The request that needed them fails then, and the next one saves them first.
    fn save<'a>(
        &'a self,
        server: &'a str,
        tokens: &'a Tokens,
    ) -> BoxFuture<'a, Result<(), TokenStoreError>>;

    /// Clears the tokens for the server, if there are any.
    ///
    /// # Errors
    ///
    /// When they are still there.
    fn clear<'a>(&'a self, server: &'a str) -> BoxFuture<'a, Result<(), TokenStoreError>>;
}

/// Why a [`TokenStore`] failed. Its text is shown in errors and logs.
pub type TokenStoreError = Box<dyn Error + Send + Sync>;

/// Keeps tokens as long as the process lives.
#[derive(Default)]
pub(super) struct InMemory(Mutex<HashMap<String, Tokens>>);

impl TokenStore for InMemory {
    fn load<'a>(
        &'a self,
        server: &'a str,
    ) -> BoxFuture<'a, Result<Option<Tokens>, TokenStoreError>> {
        Box::pin(async move { Ok(self.0.lock().get(server).cloned()) })
    }

    fn save<'a>(
        &'a self,
        server: &'a str,
        tokens: &'a Tokens,
    ) -> BoxFuture<'a, Result<(), TokenStoreError>> {
        Box::pin(async move {
            self.0.lock().insert(server.to_owned(), tokens.clone());
            Ok(())
        })
    }

    fn clear<'a>(&'a self, server: &'a str) -> BoxFuture<'a, Result<(), TokenStoreError>> {
        Box::pin(async move {
            self.0.lock().remove(server);
            Ok(())
        })
    }
}

/// A store, with what those share who use it, whatever else their settings are.
pub(super) struct Safe {
    store: Box<dyn TokenStore>,
    /// Held while tokens are read or refreshed: a refresh token is used once.
    pub(super) turn: Turn<()>,
    /// Tokens that the store has not taken yet: those in the store are worth nothing any more.
    unsaved: Mutex<Option<Tokens>>,
    /// Counts how often the tokens were cleared.
    pub(super) forgotten: watch::Sender<u64>,
}

/// The longest time for one call of a store: requests wait for it.
const TIME: Duration = Duration::from_secs(30);

impl Safe {
    pub(super) fn new(store: impl TokenStore) -> Arc<Self> {
        Arc::new(Self {
            store: Box::new(store),
            turn: Turn::default(),
            unsaved: Mutex::default(),
            forgotten: watch::Sender::default(),
        })
    }

    pub(super) async fn tokens(&self, server: &str) -> Result<Option<Tokens>, TokenStoreError> {
        self.save_left(server).await?;
        in_time(self.store.load(server)).await
    }

    async fn save(&self, server: &str, tokens: Tokens) -> Result<(), TokenStoreError> {
        *self.unsaved.lock() = Some(tokens);
        self.save_left(server).await
    }

    /// Saves what is left to be saved.
    async fn save_left(&self, server: &str) -> Result<(), TokenStoreError> {
        let left = self.unsaved.lock().clone();
        if let Some(tokens) = left {
            in_time(self.store.save(server, &tokens)).await?;
            *self.unsaved.lock() = None;
        }
        Ok(())
    }

    pub(super) async fn clear(&self, server: &str) -> Result<(), TokenStoreError> {
        *self.unsaved.lock() = None;
        self.forgotten.send_modify(|count| *count += 1);
        in_time(self.store.clear(server)).await
    }
}

async fn in_time<T>(call: BoxFuture<'_, Result<T, TokenStoreError>>) -> Result<T, TokenStoreError> {
    let done = timeout(TIME, call).await;
    done.unwrap_or_else(|_| Err(format!("it has not answered within {TIME:?}").into()))
}

/// The store as `rmcp` sees it: the tokens of one server, got by one registration.
pub(super) struct Keeper {
    pub(super) safe: Arc<Safe>,
    pub(super) server: String,
    pub(super) client: Registered,
    /// Those that a token has whose answer names none.
    pub(super) scopes: Vec<String>,
}

// As the macro of the trait writes it.
impl CredentialStore for Keeper {
    fn load<'s, 'f>(&'s self) -> BoxFuture<'f, Result<Option<StoredCredentials>, AuthError>>
    where
        's: 'f,
        Self: 'f,
    {
        Box::pin(async move {
            let kept = self.safe.tokens(&self.server).await.map_err(failed)?;
            Ok(kept.map(|kept| kept.credentials))
        })
    }

    fn save<'s, 'f>(
        &'s self,
        mut credentials: StoredCredentials,
    ) -> BoxFuture<'f, Result<(), AuthError>>
    where
        's: 'f,
        Self: 'f,
    {
        Box::pin(async move {
            let client = self.client.clone();
            if credentials.granted_scopes.is_empty() {
                credentials.granted_scopes.clone_from(&self.scopes);
            }
            let tokens = Tokens {
                credentials,
                client,
            };
            let saved = self.safe.save(&self.server, tokens).await;
            saved.map_err(failed)
        })
    }

    fn clear<'s, 'f>(&'s self) -> BoxFuture<'f, Result<(), AuthError>>
    where
        's: 'f,
        Self: 'f,
    {
        Box::pin(async move {
            let cleared = self.safe.clear(&self.server).await;
            cleared.map_err(failed)
        })
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it maps an error")]
fn failed(error: TokenStoreError) -> AuthError {
    AuthError::CredentialStoreError(error.to_string())
}
