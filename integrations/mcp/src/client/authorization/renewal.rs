//! Tokens of requests: kept, refreshed, or given by a person.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use reqwest::Url;
use rmcp::transport::{
    auth::{AuthError, AuthorizationManager, OAuthClientConfig, WWWAuthenticateParams},
    streamable_http_client::StreamableHttpError,
};
use tracing::{Dispatch, instrument::WithSubscriber};

use super::{
    Authorization, AuthorizationError,
    discovery::in_time,
    failure::{code_of, is_unauthorized, shown, without_secrets},
    tokens::{Registered, Tokens},
    under_way,
};
use crate::client::asking::Asking;

/// What is known of the authorisation.
#[derive(Default)]
pub(super) struct Standing {
    pub(super) refresher: Option<Refresher>,
    /// The scopes for which a person was asked.
    pub(super) consented: Vec<String>,
    /// Whether no request has used the token of the last consent yet.
    pub(super) is_untried: bool,
    /// The token for which no refresh is left.
    pub(super) last: Option<String>,
    /// Why requests do not ask a person again.
    pub(super) verdict: Option<AuthorizationError>,
    /// The last refusal, if no consent came after it.
    pub(super) refusal: Option<Refusal>,
}

/// What refreshes the tokens that one authorization server has issued for one client.
pub(super) struct Refresher {
    pub(super) manager: Arc<AuthorizationManager>,
    pub(super) issuer: Option<String>,
    pub(super) client: String,
}

/// Why the server did not execute a request.
#[derive(Debug, Clone)]
pub(super) enum Refusal {
    /// 401: there is no token, or it is not valid.
    Token { challenge: Option<String> },
    /// 403: the token has not these scopes.
    Scopes {
        challenge: String,
        scopes: Vec<String>,
    },
}

/// What a request has tried.
#[derive(Debug, Clone, Default)]
pub(super) struct Tried {
    is_refreshed: bool,
    asked: u8,
    renewed: u8,
}

/// How often a person is asked for one request: a server that names other scopes each time has no end.
const MAX_ASKED: u8 = 2;
/// How many tokens follow the first one for one request: tokens whose time is over at once have no end either.
const MAX_RENEWED: u8 = 4;
/// How often requests ask a person in an hour: a server that takes each token once has no end either.
const MAX_PAGES: usize = 8;
const HOUR: Duration = Duration::from_secs(60 * 60);

impl Refusal {
    pub(super) fn of<E>(error: &StreamableHttpError<E>, server: &Url) -> Option<Self>
    where
        E: std::error::Error + Send + Sync + 'static,
    {
        match error {
            StreamableHttpError::AuthRequired(error) => {
                let challenge = Some(error.www_authenticate_header.clone());
                Some(Self::Token { challenge })
            }
            error if is_unauthorized(error) => Some(Self::Token { challenge: None }),
            StreamableHttpError::InsufficientScope(error) => {
                let challenge = error.www_authenticate_header.clone();
                let said = WWWAuthenticateParams::parse(&challenge, server);
                let scopes = said.scope.as_deref().unwrap_or_default();
                let scopes = scopes.split_whitespace().map(str::to_owned).collect();
                let is_it = said.is_insufficient_scope();
                is_it.then_some(Self::Scopes { challenge, scopes })
            }
            _ => None,
        }
    }

    pub(super) fn challenge(&self) -> Option<&str> {
        match self {
            Self::Token { challenge } => challenge.as_deref(),
            Self::Scopes { challenge, .. } => Some(challenge),
        }
    }

    /// Why another token would not help.
    fn in_vain(&self) -> AuthorizationError {
        match self {
            Self::Token { .. } => AuthorizationError::Refused,
            Self::Scopes { scopes, .. } => AuthorizationError::Scopes(shown(&scopes.join(" "))),
        }
    }

    /// The scopes that are missed.
    pub(super) fn scopes(&self) -> Option<&[String]> {
        match self {
            Self::Token { .. } => None,
            Self::Scopes { scopes, .. } => Some(scopes),
        }
    }
}

impl Authorization {
    /// The token for a request, refreshed if its time is over. Without one the server says what it wants.
    pub(super) async fn token(&self) -> Result<Option<String>, AuthorizationError> {
        let token = |own: Self| async move {
            let _turn = own.settings.safe.turn.lock().await;
            own.token_alone().await
        };
        self.to_its_end(token).await
    }

    pub(super) async fn token_alone(&self) -> Result<Option<String>, AuthorizationError> {
        let Some(kept) = self.kept().await? else {
            return Ok(None);
        };
        let configured = self.refresher(&kept);
        // Only a refresh needs to know the authorization server.
        let manager = match &configured {
            Some(manager) => Arc::clone(manager),
            None => self.unconfigured(&kept).await?,
        };
        let token = manager.get_access_token().with_subscriber(Dispatch::none());
        match token.await {
            Err(AuthError::InternalError(_)) if self.acts_alone() => self.granted().await.map(Some),
            Err(AuthError::InternalError(_)) if configured.is_none() => {
                let Some(manager) = self.configured(&kept).await? else {
                    return Ok(None);
                };
                let token = manager.get_access_token().with_subscriber(Dispatch::none());
                token_of(token.await)
            }
            token => token_of(token),
        }
    }

    /// Notes that the server has taken the token.
    pub(super) fn accepted(&self) {
        self.shared.standing.lock().is_untried = false;
    }

    /// Gives another token than the one with which the server refused a request. A person is asked where the limits of calls
    /// can stand still meanwhile.
    pub(super) async fn renew(
        &self,
        sent: Option<&str>,
        refusal: &Refusal,
        tried: &mut Tried,
        limits: Option<&Asking>,
    ) -> Result<String, AuthorizationError> {
        if tried.renewed >= MAX_RENEWED {
            self.shared.standing.lock().refusal = Some(refusal.clone());
            return Err(refusal.in_vain());
        }
        tried.renewed += 1;
        if self.acts_alone() {
            let before = (sent.map(str::to_owned), refusal.clone(), tried.clone());
            tried.asked += 1;
            return self
                .to_its_end(|own| async move { own.granted_again(before).await })
                .await;
        }
        let may_refresh = matches!(refusal, Refusal::Token { .. }) && !tried.is_refreshed;
        let before = sent.map(str::to_owned);
        let fresher = |own: Self| async move { own.fresher(before, may_refresh).await };
        let (token, is_refreshed) = self.to_its_end(fresher).await?;
        tried.is_refreshed |= is_refreshed;
        if let Some(token) = token {
            return Ok(token);
        }
        let limits = limits.ok_or(AuthorizationError::Needed)?;
        let _paused = limits.sign_in();
        let asked = {
            let mut asking = self.shared.asking.lock().await;
            if let Some(asked) = asking.as_ref().and_then(under_way) {
                asked
            } else {
                // Somebody else may have been given one meanwhile.
                if let Some(token) = self.token().await?
                    && Some(&*token) != sent
                {
                    return Ok(token);
                }
                self.may_ask(refusal, tried)?;
                tried.asked += 1;
                let asked = self.asked();
                *asking = asked.downgrade();
                asked
            }
        };
        asked.await?;
        self.token().await?.ok_or(AuthorizationError::Refused)
    }

    /// A token that another request has got meanwhile, or that a refresh gives, and whether one was tried.
    async fn fresher(
        &self,
        sent: Option<String>,
        may_refresh: bool,
    ) -> Result<(Option<String>, bool), AuthorizationError> {
        let _turn = self.settings.safe.turn.lock().await;
        let token = self.token_alone().await?;
        if token.is_some() && token != sent {
            return Ok((token, false));
        }
        let is_last = self.shared.standing.lock().last == token;
        if token.is_none() || !may_refresh || is_last {
            return Ok((None, false));
        }
        let Some(kept) = self.kept().await? else {
            return Ok((None, true));
        };
        let manager = match self.refresher(&kept) {
            Some(manager) => manager,
            None => match self.configured(&kept).await? {
                Some(manager) => manager,
                None => return Ok((None, true)),
            },
        };
        match manager
            .refresh_token()
            .with_subscriber(Dispatch::none())
            .await
        {
            Ok(_) => Ok((self.token_alone().await?, true)),
            // Another process may have used the refresh token, and saved what it got.
            Err(error) if is_rejected(&error) => {
                let token = self.token_alone().await?;
                let token = token.filter(|token| Some(token) != sent.as_ref());
                if token.is_none() {
                    self.shared.standing.lock().last = sent;
                }
                Ok((token, true))
            }
            Err(error) => Err(AuthorizationError::failed(&error)),
        }
    }

    /// Notes the refusal, and says whether a person is asked because of it.
    fn may_ask(&self, refusal: &Refusal, tried: &Tried) -> Result<(), AuthorizationError> {
        self.may_help(refusal, tried)?;
        if self.settings.browser.is_none() {
            return Err(AuthorizationError::Needed);
        }
        let mut pages = self.shared.pages.lock();
        pages.retain(|opened| opened.elapsed() < HOUR);
        if pages.len() >= MAX_PAGES {
            let end = refusal.in_vain();
            self.shared.standing.lock().verdict = Some(end.clone());
            return Err(end);
        }
        pages.push(Instant::now());
        Ok(())
    }

    /// Notes the refusal, and says whether another token may help.
    pub(super) fn may_help(
        &self,
        refusal: &Refusal,
        tried: &Tried,
    ) -> Result<(), AuthorizationError> {
        let mut standing = self.shared.standing.lock();
        standing.refusal = Some(refusal.clone());
        if let Some(verdict) = &standing.verdict {
            return Err(verdict.clone());
        }
        let is_vain = match refusal {
            Refusal::Token { .. } => standing.is_untried,
            Refusal::Scopes { scopes, .. } => {
                scopes.iter().all(|it| standing.consented.contains(it))
            }
        };
        if is_vain || tried.asked >= MAX_ASKED {
            return Err(refusal.in_vain());
        }
        Ok(())
    }

    /// The tokens that are kept. A program that acts for itself does not use those of a person or of another program, nor a
    /// person those of a program.
    pub(super) async fn kept(&self) -> Result<Option<Tokens>, AuthorizationError> {
        let kept = self.settings.safe.tokens(&self.settings.server).await;
        let kept = kept.map_err(|error| AuthorizationError::Store(error.to_string()))?;
        let is_own = |kept: &Tokens| {
            if !self.acts_alone() {
                return kept.is_of_person();
            }
            let registered = self.settings.registered.as_ref();
            registered.is_some_and(|own| {
                own.client == kept.client_id() && kept.issuer().is_some_and(|it| own.is_at(it))
            })
        };
        Ok(kept.filter(is_own))
    }

    /// What refreshes these tokens. A clone with the same store may have put those of another authorization server there, which
    /// this one must not get.
    fn refresher(&self, kept: &Tokens) -> Option<Arc<AuthorizationManager>> {
        let standing = self.shared.standing.lock();
        let refresher = standing.refresher.as_ref()?;
        let is_its =
            refresher.client == kept.client_id() && refresher.issuer.as_deref() == kept.issuer();
        is_its.then(|| Arc::clone(&refresher.manager))
    }

    /// What reads the kept token and asks nobody.
    async fn unconfigured(
        &self,
        kept: &Tokens,
    ) -> Result<Arc<AuthorizationManager>, AuthorizationError> {
        let mut manager = self.manager_over(&self.network()?).await?;
        manager.set_credential_store(self.keeper(kept.client().clone()));
        Ok(Arc::new(manager))
    }

    /// What refreshes kept tokens, unless they are those of another authorization server: it would get the refresh token.
    async fn configured(
        &self,
        kept: &Tokens,
    ) -> Result<Option<Arc<AuthorizationManager>>, AuthorizationError> {
        let network = self.network()?;
        let mut manager = self.manager_over(&network).await?;
        let resolving = manager.resolve_metadata().with_subscriber(Dispatch::none());
        let metadata = |error| AuthorizationError::metadata(&error);
        let resolved = in_time(async { resolving.await.map_err(metadata) }).await?;
        let metadata = resolved.metadata;
        if !resolved.source.is_discovered() || metadata.issuer.as_deref() != kept.issuer() {
            let server = without_secrets(&self.settings.server);
            tracing::warn!(%server, "the server has another authorization server than before");
            return Ok(None);
        }
        network.check_named(&metadata)?;
        manager.set_metadata(metadata);
        let Registered { secret, redirect } = kept.client().clone();
        let client = OAuthClientConfig::new(kept.client_id(), &redirect);
        let client = match &secret {
            Some(secret) => client.with_client_secret(secret),
            None => client,
        };
        let set = manager.configure_client(client);
        set.map_err(|error| AuthorizationError::failed(&error))?;
        manager.set_credential_store(self.keeper(Registered { secret, redirect }));
        let manager = Arc::new(manager);
        self.shared.standing.lock().refresher = Some(Refresher {
            manager: Arc::clone(&manager),
            issuer: kept.issuer().map(str::to_owned),
            client: kept.client_id().to_owned(),
        });
        Ok(Some(manager))
    }
}

fn token_of(token: Result<String, AuthError>) -> Result<Option<String>, AuthorizationError> {
    match token {
        Ok(token) => Ok(Some(token)),
        Err(error) if is_rejected(&error) => Ok(None),
        Err(error) => Err(AuthorizationError::failed(&error)),
    }
}

/// Errors of an authorization server that may be over soon.
const PASSING: [&str; 3] = ["temporarily_unavailable", "server_error", "slow_down"];

/// Whether only a person can give a token again. `rmcp` knows `invalid_grant` as such; a client that is not known any more, or
/// another error that the authorization server answers, is in the text of a failure.
fn is_rejected(error: &AuthError) -> bool {
    match error {
        AuthError::AuthorizationRequired | AuthError::TokenRefreshRejected(_) => true,
        AuthError::TokenRefreshFailed(text) => {
            code_of(text).is_some_and(|code| !PASSING.contains(&code))
        }
        _ => false,
    }
}
