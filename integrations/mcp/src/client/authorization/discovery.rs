//! The authorization server of a server, and what is asked of it.

use std::{collections::HashSet, sync::Arc, time::Duration};

use rmcp::transport::auth::{AuthorizationManager, AuthorizationMetadata};
use tokio::time::timeout;
use tracing::{Dispatch, instrument::WithSubscriber};

use super::{
    Authorization, AuthorizationError, Preregistered,
    failure::shown,
    network::Network,
    tokens::{Keeper, Registered, Tokens},
};

/// The longest time to find the authorization server and to register.
const TO_BEGIN: Duration = Duration::from_secs(60);

/// Ends what takes too long: a server could name authorization servers without end.
pub(super) async fn in_time<T>(
    begun: impl Future<Output = Result<T, AuthorizationError>>,
) -> Result<T, AuthorizationError> {
    timeout(TO_BEGIN, begun).await.unwrap_or_else(|_| {
        let text = format!("nothing was found within {TO_BEGIN:?}");
        Err(AuthorizationError::Metadata(text))
    })
}

impl Authorization {
    /// Finds the authorization server, from the last refusal if there is one.
    pub(super) async fn discovered(
        &self,
    ) -> Result<(AuthorizationManager, AuthorizationMetadata), AuthorizationError> {
        let network = self.network()?;
        let mut manager = self.manager_over(&network).await?;
        let refusal = self.shared.standing.lock().refusal.clone();
        let challenge = refusal.as_ref().and_then(|refusal| refusal.challenge());
        let resolving = manager.resolve_metadata_from_challenge(challenge);
        // `rmcp` writes addresses to its log, and the query of one may be a secret.
        let resolved = resolving.with_subscriber(Dispatch::none()).await;
        let resolved = resolved.map_err(|error| AuthorizationError::metadata(&error))?;
        if !resolved.source.is_discovered() {
            let text = "it publishes no metadata of an authorization server";
            return Err(AuthorizationError::Metadata(text.to_owned()));
        }
        let metadata = resolved.metadata;
        network.check_named(&metadata)?;
        manager.set_metadata(metadata.clone());
        Ok((manager, metadata))
    }

    pub(super) async fn manager_over(
        &self,
        network: &Arc<Network>,
    ) -> Result<AuthorizationManager, AuthorizationError> {
        let network = Arc::clone(network);
        let server = &*self.settings.server;
        let made = AuthorizationManager::new_with_oauth_http_client(server, network).await;
        made.map_err(|error| AuthorizationError::failed(&error))
    }

    pub(super) fn keeper(&self, client: Registered) -> Keeper {
        Keeper {
            safe: Arc::clone(&self.settings.safe),
            server: self.settings.server.clone(),
            client,
            scopes: Vec::new(),
        }
    }

    /// What the server misses, or else what the application or the server names, and what was granted before.
    pub(super) async fn scopes_for(
        &self,
        manager: &AuthorizationManager,
        metadata: &AuthorizationMetadata,
        kept: Option<Tokens>,
    ) -> Vec<String> {
        let refusal = self.shared.standing.lock().refusal.clone();
        let missed = refusal.as_ref().and_then(|refusal| refusal.scopes());
        let granted = kept.filter(|kept| kept.issuer() == metadata.issuer.as_deref());
        let mut scopes = granted.map_or_else(Vec::new, |kept| kept.scopes().to_vec());
        let own = &self.settings.scopes;
        if own.is_empty() {
            scopes.extend(manager.select_initial_scopes(&[]).await);
        } else {
            scopes.extend(own.iter().chain(missed.into_iter().flatten()).cloned());
            let supported = metadata.scopes_supported.iter().flatten();
            scopes.extend(
                supported
                    .filter(|scope| *scope == "offline_access")
                    .cloned(),
            );
        }
        let mut seen = HashSet::new();
        scopes.retain(|scope| seen.insert(scope.clone()));
        scopes
    }

    /// The id of the program, if somebody registered it by hand: at this authorization server, and not at another one.
    pub(super) fn registered_at(
        &self,
        metadata: &AuthorizationMetadata,
    ) -> Result<Option<&Preregistered>, AuthorizationError> {
        let registered = self.settings.registered.as_ref();
        let found = metadata.issuer.as_deref().unwrap_or_default();
        match registered {
            Some(registered) if !registered.is_at(found) => Err(AuthorizationError::Issuer {
                registered: registered.issuer.clone(),
                found: shown(found),
            }),
            registered => Ok(registered),
        }
    }
}
