//! The HTTP client of connections.

use reqwest::{
    Client, ClientBuilder, StatusCode,
    redirect::{Action, Attempt, Policy},
};

/// The client. `rmcp` would make one that panics where a package of the program asks `reqwest` for TLS without a provider, as ours
/// for models do.
///
/// # Errors
///
/// When TLS cannot be set up on this machine.
pub(crate) fn new() -> Result<Client, String> {
    let client = builder()?.redirect(Policy::custom(follow)).build();
    client.map_err(|error| error.to_string())
}

/// What all clients have.
pub(crate) fn builder() -> Result<ClientBuilder, String> {
    // As `rmcp` has it: a connection whose last answer was not read to its end stalls the next request.
    encrypt(Client::builder().pool_max_idle_per_host(0))
}

/// Follows a redirect that keeps the request as it is, and within the server: headers may be secrets.
fn follow(redirect: Attempt<'_>) -> Action {
    const MOST: usize = 10;
    let keeps = matches!(
        redirect.status(),
        StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT
    );
    let from = redirect.previous();
    let stays = from
        .first()
        .is_some_and(|from| from.origin() == redirect.url().origin());
    if keeps && stays && from.len() <= MOST {
        redirect.follow()
    } else {
        redirect.stop()
    }
}

#[cfg(any(feature = "tls-ring", feature = "tls-aws-lc"))]
fn encrypt(builder: ClientBuilder) -> Result<ClientBuilder, String> {
    let config = toolwright_providers::tls_config().map_err(|error| error.to_string())?;
    Ok(builder.tls_backend_preconfigured(config))
}

#[cfg(not(any(feature = "tls-ring", feature = "tls-aws-lc")))]
#[expect(clippy::unnecessary_wraps, reason = "it fails with TLS")]
fn encrypt(builder: ClientBuilder) -> Result<ClientBuilder, String> {
    Ok(builder)
}
