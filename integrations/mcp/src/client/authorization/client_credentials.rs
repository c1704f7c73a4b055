//! Tokens that a program gets for itself (the grant `client_credentials`, SEP-1046).

use rmcp::transport::auth::{AuthError, ClientCredentialsConfig};
use tracing::{Dispatch, instrument::WithSubscriber};

use super::{
    Authorization, AuthorizationError, Preregistered,
    discovery::in_time,
    renewal::{Refusal, Standing, Tried},
    tokens::Registered,
};

impl Authorization {
    /// Gets another token than the one with which the server refused a request, unless another request has got one meanwhile.
    pub(super) async fn granted_again(
        &self,
        (sent, refusal, tried): (Option<String>, Refusal, Tried),
    ) -> Result<String, AuthorizationError> {
        let _turn = self.settings.safe.turn.lock().await;
        if let Some(token) = self.token_alone().await?
            && Some(&token) != sent.as_ref()
        {
            return Ok(token);
        }
        self.may_help(&refusal, &tried)?;
        self.granted().await
    }

    /// Gets a token. The caller has the turn.
    pub(super) async fn granted(&self) -> Result<String, AuthorizationError> {
        let (mut manager, metadata) = in_time(self.discovered()).await?;
        let registered = self.registered_at(&metadata)?;
        let registered = registered.ok_or_else(|| unknown("it acts for itself, and has no id"))?;
        let mut scopes = self
            .scopes_for(&manager, &metadata, self.kept().await?)
            .await;
        // It is for the absence of a person.
        scopes.retain(|scope| scope != "offline_access" || self.settings.scopes.contains(scope));
        let resource = self.resource()?;
        let config = config(registered, &scopes, resource)?;
        let failed = |error: AuthError| AuthorizationError::failed(&error);
        manager
            .validate_client_credentials_metadata(&config)
            .and_then(|()| manager.configure_client_credentials(&config))
            .map_err(failed)?;
        let mut keeper = self.keeper(Registered::default());
        keeper.scopes.clone_from(&scopes);
        manager.set_credential_store(keeper);
        let exchange = manager.exchange_client_credentials(&config);
        let exchanged = exchange.with_subscriber(Dispatch::none()).await;
        if let Err(error) = exchanged {
            // What the server misses and nobody grants is not asked for again by each request.
            self.shared.standing.lock().refusal = None;
            return Err(failed(error));
        }
        *self.shared.standing.lock() = Standing {
            consented: scopes,
            is_untried: true,
            ..Standing::default()
        };
        let token = manager.get_access_token().with_subscriber(Dispatch::none());
        token.await.map_err(|error| match error {
            AuthError::AuthorizationRequired => {
                AuthorizationError::Failed("the token is over as soon as it is issued".to_owned())
            }
            error => failed(error),
        })
    }

    /// What the token is for: the address of the server, without what may be a secret.
    fn resource(&self) -> Result<String, AuthorizationError> {
        let mut server = self.server()?;
        server.set_query(None);
        server.set_fragment(None);
        // An address of HTTP has a place for both.
        let _ = server.set_username("");
        let _ = server.set_password(None);
        Ok(server.to_string())
    }
}

/// How the program proves to the authorization server who it is.
fn config(
    registered: &Preregistered,
    scopes: &[String],
    resource: String,
) -> Result<ClientCredentialsConfig, AuthorizationError> {
    let (client_id, scopes) = (registered.client.clone(), scopes.to_vec());
    let secret = registered.secret.as_ref();
    let secret = secret.ok_or_else(|| unknown("it acts for itself, and its id has no secret"))?;
    Ok(ClientCredentialsConfig::ClientSecret {
        client_id,
        client_secret: secret.clone(),
        scopes,
        resource: Some(resource),
    })
}

fn unknown(why: &str) -> AuthorizationError {
    AuthorizationError::Registration(why.to_owned())
}
