//! Authorisation at servers over HTTP (OAuth 2.1), on `rmcp`.

mod authorized;
mod client_credentials;
mod consent;
mod discovery;
mod failure;
mod loopback;
mod network;
mod renewal;
mod tokens;

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::future::{Shared as Joined, WeakShared};
use reqwest::Url;
use tokio::sync::Mutex;
use toolwright_core::{driver::Mutex as Lock, tool::BoxFuture};

pub(crate) use authorized::Authorized;
use consent::Consents;
pub use failure::AuthorizationError;
use network::Network;
use renewal::Standing;
use tokens::{InMemory, Safe};
pub use tokens::{TokenStore, TokenStoreError, Tokens};

/// The authorisation of this program at one server over HTTP (OAuth 2.1): by one person, or for
/// [the program itself](Self::client_credentials).
///
/// In a program on the machine of the person, [`browser`](Self::browser) opens the page of the authorization server when a
/// request needs it, and the person comes back to an address of this machine:
///
/// ```no_run
/// use toolwright::mcp::{Authorization, Client};
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let authorization = Authorization::new("https://example.com/mcp", Authorization::LOOPBACK)
///     .named("My program")
///     .browser(|address| println!("Open this page to go on: {address}"));
/// let client = Client::http_authorized(&authorization).await?;
/// # Ok(()) }
/// ```
///
/// In a server with users of its own there is no browser here. What needs authorisation fails with
/// [`AuthorizationError::Needed`] then: [`start`](Self::start) gives the address for the browser of the user, who comes back to
/// a route of the application, and [`finish`](Self::finish) takes what came back. Each user has an `Authorization`, with a
/// [`store`](Self::store) of this user.
///
/// Tokens are refreshed as needed, and kept in memory or in a [`store`](Self::store). PKCE, the resource indicator, the issuer
/// and the discovery of the authorization server are those of `rmcp`. A request that the server refused with 401 or 403 was not
/// executed, and is sent again with a new token; no other request is.
///
/// Cheap to clone; clones share the tokens and what is under way. A clone that is given another client or other scopes shares the
/// tokens alone. One that is given another store shares nothing, so that one with the settings of the program can be the start of
/// those of all its users.
#[doc(alias = "oauth")]
#[derive(Clone)]
#[must_use = "it is given to `Client::http_authorized`"]
pub struct Authorization {
    settings: Settings,
    shared: Arc<Shared>,
}

#[derive(Clone)]
struct Settings {
    server: String,
    /// Where a person comes back to. Without one the program acts for itself, and no person is asked.
    redirect: Option<String>,
    name: String,
    scopes: Vec<String>,
    /// The program at one authorization server, where it was registered by hand.
    registered: Option<Preregistered>,
    document: Option<String>,
    safe: Arc<Safe>,
    browser: Option<Browser>,
    patience: Duration,
    private: bool,
    /// Made when it is needed.
    network: Arc<Lock<Option<Arc<Network>>>>,
}

#[derive(Clone)]
struct Preregistered {
    issuer: String,
    client: String,
    secret: Option<String>,
}

impl Preregistered {
    fn is_at(&self, issuer: &str) -> bool {
        issuer.trim_end_matches('/') == self.issuer.trim_end_matches('/')
    }
}

type Browser = Arc<dyn Fn(&str) + Send + Sync>;

/// What clones share.
#[derive(Default)]
struct Shared {
    consents: Lock<Consents>,
    standing: Lock<Standing>,
    /// When requests have asked a person.
    pages: Lock<Vec<Instant>>,
    /// Under way as long as anybody waits for it. Held while it is decided whether to ask.
    asking: Mutex<Option<WeakShared<Asked>>>,
}

/// A person who is asked.
type Asked = BoxFuture<'static, Result<(), AuthorizationError>>;

impl Authorization {
    /// The address to come back to for [`browser`](Self::browser): of this machine, at a free port.
    pub const LOOPBACK: &str = "http://127.0.0.1:0/callback";

    /// The authorisation at the server with this address. The person comes back to `redirect`: a route of the application, or
    /// [`LOOPBACK`](Self::LOOPBACK).
    pub fn new(server: impl Into<String>, redirect: impl Into<String>) -> Self {
        Self::of(server.into(), Some(redirect.into()))
    }

    /// The authorisation of a program that acts for itself, without a person, at the server with this address: the grant
    /// `client_credentials` of OAuth. The authorization server has to know the program by the id of
    /// [`registered`](Self::registered) and its [`secret`](Self::secret). A token is got when a request needs it; `ask`, `start`
    /// and `finish` fail.
    ///
    /// ```no_run
    /// use toolwright::mcp::{Authorization, Client};
    ///
    /// # async fn example(secret: String) -> Result<(), Box<dyn std::error::Error>> {
    /// let authorization = Authorization::client_credentials("https://example.com/mcp")
    ///     .registered("https://login.example.com", "nightly-report")
    ///     .secret(secret);
    /// let client = Client::http_authorized(&authorization).await?;
    /// # Ok(()) }
    /// ```
    #[doc(alias("machine-to-machine", "service account"))]
    pub fn client_credentials(server: impl Into<String>) -> Self {
        Self::of(server.into(), None)
    }

    fn of(server: String, redirect: Option<String>) -> Self {
        let settings = Settings {
            server,
            redirect,
            name: "toolwright".to_owned(),
            scopes: Vec::new(),
            registered: None,
            document: None,
            safe: Safe::new(InMemory::default()),
            browser: None,
            patience: Duration::from_secs(600),
            private: false,
            network: Arc::default(),
        };
        let shared = Arc::default();
        Self { settings, shared }
    }

    /// Sets the name that the person reads on the page of the authorization server; `toolwright` by default.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.settings.name = name.into();
        self
    }

    /// Uses the id that the program has at the authorization server with this issuer, where somebody registered it by hand. At
    /// another issuer the authorisation fails, so that a server cannot collect it.
    ///
    /// Otherwise the program registers itself, each time that a person is asked.
    #[doc(alias = "client_id")]
    pub fn registered(mut self, issuer: impl Into<String>, client: impl Into<String>) -> Self {
        self.settings.registered = Some(Preregistered {
            issuer: issuer.into(),
            client: client.into(),
            secret: None,
        });
        self.apart()
    }

    /// Sets the secret that goes with the id of [`registered`](Self::registered), without which it has no effect. It is sent as
    /// the authorization server says (`client_secret_basic` or `client_secret_post`). A program that people install has none: it
    /// would be known to all of them.
    #[doc(alias = "client_secret")]
    pub fn secret(mut self, secret: impl Into<String>) -> Self {
        if let Some(registered) = &mut self.settings.registered {
            registered.secret = Some(secret.into());
        }
        self.apart()
    }

    /// Says where the program describes itself (a client ID metadata document, at an `https` address that is then its id).
    /// Authorization servers that know no such documents register the program instead.
    #[doc(alias = "cimd")]
    pub fn described_at(mut self, document: impl Into<String>) -> Self {
        self.settings.document = Some(document.into());
        self.apart()
    }

    /// Sets the scopes to ask for at first. By default they are those that the server names.
    pub fn scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.settings.scopes = scopes.into_iter().map(Into::into).collect();
        self.apart()
    }

    /// Keeps the tokens there, and finds those of an earlier process. By default they are in memory, and gone with it.
    pub fn store(mut self, store: impl TokenStore) -> Self {
        self.settings.safe = Safe::new(store);
        self.apart()
    }

    /// Asks the person in a browser of this machine when a request needs it: the closure opens the address, or shows it. It must
    /// return at once. The redirect has to be `http://127.0.0.1` or `http://localhost`, and is listened to meanwhile; port 0 is
    /// a free one.
    ///
    /// Requests that wait for the same person open one page, and all of them at most 8 in an hour. If the person denies, or does not come back, requests fail until
    /// [`ask`](Self::ask) succeeds. The time limits of calls stand still meanwhile, those of runs do not.
    pub fn browser(mut self, open: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.settings.browser = Some(Arc::new(open));
        self
    }

    /// Sets how long a person may take, an hour at most; 10 minutes by default.
    pub fn patience(mut self, patience: Duration) -> Self {
        self.settings.patience = patience;
        self
    }

    /// Lets the server name an authorization server in a private network, such as `sso.corp` at `10.0.0.9`. Without this, only
    /// public addresses are reached; a server at `localhost` or `127.0.0.1` may name this machine, and one whose address is a private one in digits private ones.
    pub fn in_private_network(mut self) -> Self {
        self.settings.private = true;
        self.settings.network = Arc::default();
        self
    }

    /// Says whether a request was refused since a person was asked last: the application then offers [`start`](Self::start).
    pub fn is_needed(&self) -> bool {
        !self.acts_alone() && self.shared.standing.lock().refusal.is_some()
    }

    /// Clears the tokens, here and in the store. A consent that was begun before, here or in any clone with this store, gives
    /// none any more: [`finish`](Self::finish) refuses it ([`AuthorizationError::State`]). The authorization server is not told.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn forget(&self) -> Result<(), AuthorizationError> {
        // Who asks next asks anew.
        let mut asking = self.shared.asking.lock().await;
        *asking = None;
        let _turn = self.settings.safe.turn.lock().await;
        *self.shared.standing.lock() = Standing::default();
        self.shared.pages.lock().clear();
        let cleared = self.settings.safe.clear(&self.settings.server).await;
        cleared.map_err(|error| AuthorizationError::Store(error.to_string()))
    }

    /// Does it to its end, whether the one who began it still waits or not: who stops between the use of a refresh token or a
    /// code and the save has lost what came for it.
    async fn to_its_end<T, F>(&self, what: impl FnOnce(Self) -> F) -> Result<T, AuthorizationError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, AuthorizationError>> + Send + 'static,
    {
        let done = tokio::spawn(what(self.clone())).await;
        done.unwrap_or_else(|error| Err(AuthorizationError::Failed(failure::shown(&error))))
    }

    /// Shares what is under way with no other one: that is of another person or client.
    fn apart(mut self) -> Self {
        self.shared = Arc::default();
        self
    }

    /// Whether the program acts for itself, and no person is asked.
    /// Whether a request may wait until a person has signed in.
    pub(crate) fn has_browser(&self) -> bool {
        self.settings.browser.is_some()
    }

    pub(crate) fn acts_alone(&self) -> bool {
        self.settings.redirect.is_none()
    }

    /// Where a person comes back to.
    fn redirect(&self) -> Result<&str, AuthorizationError> {
        let redirect = self.settings.redirect.as_deref();
        redirect.ok_or_else(|| AuthorizationError::Redirect {
            redirect: String::new(),
            problem: "the program acts for itself, so no person is sent to authorise it".to_owned(),
        })
    }

    /// The address of the server as it was given.
    pub(crate) fn address(&self) -> &str {
        &self.settings.server
    }

    /// The address of the server. No token is sent without TLS, unless within this machine.
    fn server(&self) -> Result<Url, AuthorizationError> {
        let server = &self.settings.server;
        let refused = || AuthorizationError::Address(failure::shown(server));
        let url = Url::parse(server).map_err(|_| refused())?;
        match url.scheme() {
            "https" => Ok(url),
            "http" if network::is_loopback(&url) => Ok(url),
            _ => Err(refused()),
        }
    }

    /// The way to authorization servers, made once.
    fn network(&self) -> Result<Arc<Network>, AuthorizationError> {
        let mut made = self.settings.network.lock();
        if let Some(network) = &*made {
            return Ok(Arc::clone(network));
        }
        let network = Arc::new(Network::new(&self.server()?, self.settings.private)?);
        *made = Some(Arc::clone(&network));
        Ok(network)
    }
}

impl fmt::Debug for Authorization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authorization")
            .field("server", &failure::without_secrets(&self.settings.server))
            .finish_non_exhaustive()
    }
}

/// The one who is asked, unless there is an answer.
fn under_way(asking: &WeakShared<Asked>) -> Option<Joined<Asked>> {
    asking.upgrade().filter(|asked| asked.peek().is_none())
}
