//! The consent of a person: the address to open, and what comes back.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::FutureExt;
use reqwest::Url;
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, AuthorizationMetadata, OAuthClientConfig,
};
use toolwright_core::driver::caught;
use tracing::{Dispatch, instrument::WithSubscriber};

use super::{
    Asked, Authorization, AuthorizationError, Joined,
    discovery::in_time,
    failure::shown,
    loopback::Loopback,
    renewal::{Refresher, Standing},
    tokens::Registered,
    under_way,
};

/// Those that are under way, by their state.
#[derive(Default)]
pub(super) struct Consents(HashMap<String, Arc<Consent>>);

struct Consent {
    manager: Arc<AuthorizationManager>,
    issuer: Option<String>,
    client: String,
    scopes: Vec<String>,
    begun: Instant,
    /// How often the tokens were forgotten before. What was begun before is not to bring them back.
    forgotten: u64,
}

/// The largest number of consents under way. The oldest makes room for a new one.
const MAX_CONSENTS: usize = 16;
/// The longest time that one is under way, however patient the application is.
const LONGEST: Duration = Duration::from_secs(60 * 60);

impl Consents {
    fn add(&mut self, state: String, consent: Consent) {
        self.0.retain(|_, other| other.begun.elapsed() < LONGEST);
        if self.0.len() >= MAX_CONSENTS {
            let oldest = self.0.iter().min_by_key(|(_, consent)| consent.begun);
            if let Some(state) = oldest.map(|(state, _)| state.clone()) {
                self.0.remove(&state);
            }
        }
        self.0.insert(state, Arc::new(consent));
    }

    fn find(&self, state: &str, forgotten: u64) -> Option<Arc<Consent>> {
        let found = self.0.get(state);
        found
            .filter(|consent| consent.begun.elapsed() < LONGEST && consent.forgotten == forgotten)
            .cloned()
    }
}

/// The parameters of the address that came back.
#[derive(Default)]
struct Returned {
    code: Option<String>,
    state: Option<String>,
    issuer: Option<String>,
    error: Option<String>,
    description: Option<String>,
}

impl Returned {
    fn of(address: &str) -> Self {
        let query = address.split_once('?').map_or(address, |(_, query)| query);
        let query = query.split('#').next().unwrap_or_default();
        let mut returned = Self::default();
        let Ok(url) = Url::parse(&format!("http://localhost/?{query}")) else {
            return returned;
        };
        for (key, value) in url.query_pairs() {
            let place = match &*key {
                "code" => &mut returned.code,
                "state" => &mut returned.state,
                "iss" => &mut returned.issuer,
                "error" => &mut returned.error,
                "error_description" => &mut returned.description,
                _ => continue,
            };
            *place = Some(value.into_owned());
        }
        returned
    }
}

impl Authorization {
    /// Starts an authorisation, and gives the address for the browser of the person. It asks for the scopes that the server
    /// has missed, and for those that were granted before. Up to 16 are under way, each for at most an hour.
    ///
    /// Send the person there from a page of their own session, and let [`finish`](Self::finish) take nothing but what comes back
    /// in this session: whoever finishes it, gives the tokens.
    ///
    /// # Errors
    ///
    /// When the server does not say where it is authorised, when the program cannot be registered there, and when an address is
    /// not encrypted or of a private network.
    ///
    /// # Cancel safety
    ///
    /// Dropped, nothing is under way. The program may be registered.
    pub async fn start(&self) -> Result<String, AuthorizationError> {
        in_time(self.begin(self.redirect()?)).await
    }

    /// Finishes an authorisation by what came back: the whole address, or its query. The tokens are in the store then.
    ///
    /// # Errors
    ///
    /// When the answer is none to an authorisation that was started here or in a clone ([`AuthorizationError::State`]), when the
    /// person has denied ([`AuthorizationError::Denied`]), when the answer is that of another authorization server, and when the
    /// authorization server or the store fails.
    ///
    /// # Cancel safety
    ///
    /// Dropped, it goes on to its end.
    pub async fn finish(&self, returned: &str) -> Result<(), AuthorizationError> {
        let returned = Returned::of(returned);
        self.to_its_end(|own| async move { own.finish_alone(returned).await })
            .await
    }

    async fn finish_alone(&self, returned: Returned) -> Result<(), AuthorizationError> {
        // Whoever forgets waits for its end.
        let _turn = self.settings.safe.turn.lock().await;
        let state = returned.state.unwrap_or_default();
        let consent = self.consent(&state).ok_or(AuthorizationError::State)?;
        if let Some(error) = returned.error {
            self.shared.consents.lock().0.remove(&state);
            let text = returned.description.unwrap_or_else(|| error.clone());
            return Err(match &*error {
                "access_denied" => AuthorizationError::Denied(shown(&text)),
                _ => AuthorizationError::Failed(shown(&format!("{error}: {text}"))),
            });
        }
        let code = returned.code.ok_or(AuthorizationError::State)?;
        let exchange = consent.manager.exchange_code_for_token_with_issuer(
            &code,
            &state,
            returned.issuer.as_deref(),
        );
        // `rmcp` writes the code to its log.
        let exchanged = exchange.with_subscriber(Dispatch::none()).await;
        let unsaved = match exchanged {
            Ok(_) => None,
            // They are saved later.
            Err(error @ AuthError::CredentialStoreError(_)) => Some(error),
            // The answer of the right one may still come.
            Err(
                error @ (AuthError::AuthorizationServerMismatch { .. }
                | AuthError::AuthorizationServerMissingIssuer { .. }),
            ) => return Err(AuthorizationError::failed(&error)),
            // It is used up by another one who came back with it.
            Err(AuthError::InternalError(_)) => return Err(AuthorizationError::State),
            Err(error) => {
                self.shared.consents.lock().0.remove(&state);
                return Err(AuthorizationError::failed(&error));
            }
        };
        self.shared.consents.lock().0.remove(&state);
        let refresher = Refresher {
            manager: Arc::clone(&consent.manager),
            issuer: consent.issuer.clone(),
            client: consent.client.clone(),
        };
        *self.shared.standing.lock() = Standing {
            refresher: Some(refresher),
            consented: consent.scopes.clone(),
            is_untried: true,
            ..Standing::default()
        };
        unsaved.map_or(Ok(()), |error| Err(AuthorizationError::failed(&error)))
    }

    /// Asks the person in the [`browser`](Self::browser) now, whether a request needs it or not. Where the person is being asked,
    /// it waits for that answer.
    ///
    /// # Errors
    ///
    /// As [`start`](Self::start) and [`finish`](Self::finish); when nobody comes back in time
    /// ([`AuthorizationError::Unanswered`]); when the redirect cannot be listened to; after [`forget`](Self::forget)
    /// ([`AuthorizationError::State`]). Without a browser, [`AuthorizationError::Needed`].
    ///
    /// # Cancel safety
    ///
    /// Dropped, and with nobody else who waits, it is not listened any more, and the page of the person leads nowhere.
    pub async fn ask(&self) -> Result<(), AuthorizationError> {
        let asked = {
            let mut asking = self.shared.asking.lock().await;
            let under_way = asking.as_ref().and_then(under_way);
            under_way.unwrap_or_else(|| {
                let asked = self.asked();
                *asking = asked.downgrade();
                asked
            })
        };
        asked.await
    }

    /// The person who is asked, by all who wait.
    pub(super) fn asked(&self) -> Joined<Asked> {
        let own = self.clone();
        let asked: Asked = Box::pin(async move { own.ask_alone().await });
        asked.shared()
    }

    fn consent(&self, state: &str) -> Option<Arc<Consent>> {
        let forgotten = *self.settings.safe.forgotten.borrow();
        self.shared.consents.lock().find(state, forgotten)
    }

    async fn ask_alone(&self) -> Result<(), AuthorizationError> {
        let mut forgotten = self.settings.safe.forgotten.subscribe();
        tokio::select! {
            biased;
            _ = forgotten.changed() => Err(AuthorizationError::State),
            answered = self.answered() => answered,
        }
    }

    /// Opens the page, and takes what comes back.
    async fn answered(&self) -> Result<(), AuthorizationError> {
        let redirect = self.redirect()?;
        let open = self.settings.browser.as_ref();
        let open = open.ok_or(AuthorizationError::Needed)?;
        let loopback = Loopback::listen(redirect).await?;
        let address = in_time(self.begin(loopback.redirect())).await?;
        let opened = caught(|| open(&address));
        opened.map_err(|_| AuthorizationError::Failed("the browser does not open".to_owned()))?;
        let known = |query: String| async move {
            let state = Returned::of(&query).state.unwrap_or_default();
            self.consent(&state).is_some().then_some(query)
        };
        let patience = self.settings.patience.min(LONGEST);
        let returned = tokio::time::timeout(patience, loopback.answer(known)).await;
        let finished = match returned {
            Ok(returned) => self.finish(&returned).await,
            Err(_) => Err(AuthorizationError::Unanswered(patience)),
        };
        if let Err(error) = &finished {
            // A model that calls again is no reason to ask again.
            self.shared.standing.lock().verdict = Some(error.clone());
        }
        finished
    }

    async fn begin(&self, redirect: &str) -> Result<String, AuthorizationError> {
        let forgotten = *self.settings.safe.forgotten.borrow();
        let (mut manager, metadata) = self.discovered().await?;
        let kept = {
            let _turn = self.settings.safe.turn.lock().await;
            self.kept().await?
        };
        let scopes = self.scopes_for(&manager, &metadata, kept).await;
        let client = self
            .client_for(&mut manager, &metadata, (redirect, &scopes))
            .await?;
        let registered = Registered {
            secret: client.client_secret.clone(),
            redirect: redirect.to_owned(),
        };
        let id = client.client_id.clone();
        let configured = manager.configure_client(client);
        configured.map_err(|error| AuthorizationError::registration(&error))?;
        manager.set_credential_store(self.keeper(registered));
        let asked: Vec<_> = scopes.iter().map(String::as_str).collect();
        let address = manager.get_authorization_url(&asked).await;
        let address = address.map_err(|error| AuthorizationError::failed(&error))?;
        let state = Returned::of(&address).state.unwrap_or_default();
        let consent = Consent {
            manager: Arc::new(manager),
            issuer: metadata.issuer,
            client: id,
            scopes,
            begun: Instant::now(),
            forgotten,
        };
        self.shared.consents.lock().add(state, consent);
        Ok(address)
    }

    /// How the program is known to the authorization server, in the order of the protocol.
    async fn client_for(
        &self,
        manager: &mut AuthorizationManager,
        metadata: &AuthorizationMetadata,
        (redirect, scopes): (&str, &[String]),
    ) -> Result<OAuthClientConfig, AuthorizationError> {
        let kind = if redirect.starts_with("https:") {
            "web"
        } else {
            "native"
        };
        let of = |id: &str| OAuthClientConfig::new(id, redirect).with_application_type(kind);
        if let Some(registered) = self.registered_at(metadata)? {
            let client = of(&registered.client);
            return Ok(match &registered.secret {
                Some(secret) => client.with_client_secret(secret),
                None => client,
            });
        }
        let knows_documents = metadata
            .additional_fields
            .get("client_id_metadata_document_supported")
            .is_some_and(|known| known == true);
        if let Some(document) = &self.settings.document
            && knows_documents
        {
            return Ok(of(document));
        }
        // `rmcp` has no other way to say the kind before it registers.
        let configured = manager.configure_client(of(""));
        configured.map_err(|error| AuthorizationError::registration(&error))?;
        let asked: Vec<_> = scopes.iter().map(String::as_str).collect();
        let registered = manager
            .register_client(&self.settings.name, redirect, &asked)
            .await;
        registered.map_err(|error| AuthorizationError::registration(&error))
    }
}
