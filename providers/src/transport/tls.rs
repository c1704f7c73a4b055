//! Encryption of connections.

use std::sync::Arc;

use reqwest::ClientBuilder;
use rustls::{ClientConfig, Error, crypto::CryptoProvider};
use rustls_platform_verifier::BuilderVerifierExt;
use toolwright_core::model::ModelError;

use super::failure;

/// Gives the client TLS.
///
/// # Errors
///
/// As [`tls_config`].
pub(super) fn encrypt(builder: ClientBuilder) -> Result<ClientBuilder, ModelError> {
    let config = tls_config().map_err(|error| failure::no_tls(&error))?;
    Ok(builder.tls_backend_preconfigured(config))
}

/// TLS for HTTP, also for the clients of other packages: certificates are verified as the system does it.
///
/// # Errors
///
/// When the system's verifier cannot be made, or the program's own provider lacks a part of TLS.
pub fn tls_config() -> Result<ClientConfig, Error> {
    let mut config = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()?
        .with_platform_verifier()?
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

/// The provider that the program has installed for itself, or else that of the feature. Nothing is
/// installed here: the choice for all of a process is the program's.
fn provider() -> Arc<CryptoProvider> {
    if let Some(installed) = CryptoProvider::get_default() {
        return installed.clone();
    }
    // Where another package turns on the other one too, the one that had to be asked for is taken.
    #[cfg(feature = "tls-aws-lc")]
    let provider = rustls::crypto::aws_lc_rs::default_provider();
    #[cfg(not(feature = "tls-aws-lc"))]
    let provider = rustls::crypto::ring::default_provider();
    Arc::new(provider)
}
