//! Errors on the way to the server and back.
//!
//! The texts name the host and the innermost cause, never the URL, whose query may hold a key.

use std::{error::Error, time::Duration};

use toolwright_core::model::{ModelError, ModelErrorKind};

use super::{HEADER_LIST, Transport};

fn at(host: &str, what: &str) -> ModelError {
    ModelError::new(ModelErrorKind::Transport, format!("{host}: {what}"))
}

/// All of the exchange took too long.
pub(super) fn out_of_time(host: &str, total: Duration) -> ModelError {
    let what = format!("the response was not whole after {total:?} (`with_total_timeout`)");
    at(host, &what)
}

/// The head of the response took too long.
pub(super) fn no_first_byte(host: &str, wait: Duration) -> ModelError {
    let what = format!("no response began within {wait:?} (`with_first_byte_timeout`)");
    at(host, &what)
}

/// Nothing came of the body for too long.
pub(super) fn idle(host: &str, wait: Duration) -> ModelError {
    let what = format!("no bytes of the response came for {wait:?} (`with_idle_timeout`)");
    at(host, &what)
}

/// The request, or what is to send it, cannot be made.
pub(super) fn not_made(error: reqwest::Error) -> ModelError {
    let cause = root_cause(&error.without_url());
    let message = format!("the request cannot be made: {cause}");
    ModelError::new(ModelErrorKind::InvalidRequest, message)
}

/// TLS cannot be set up on this machine.
#[cfg(any(feature = "tls-ring", feature = "tls-aws-lc"))]
pub(super) fn no_tls(error: &rustls::Error) -> ModelError {
    let message = format!("TLS cannot be set up: {error}");
    ModelError::new(ModelErrorKind::InvalidRequest, message)
}

/// The program was compiled without TLS.
#[cfg(not(any(feature = "tls-ring", feature = "tls-aws-lc")))]
pub(super) fn without_tls() -> ModelError {
    let message = "`https://` needs TLS, which this program was compiled without: turn on the feature \
                   `http` of toolwright, or `http-aws-lc`";
    ModelError::new(ModelErrorKind::InvalidRequest, message)
}

/// The connection failed.
pub(super) fn on_the_way(error: reqwest::Error, host: &str, transport: &Transport) -> ModelError {
    if error.is_builder() {
        return not_made(error);
    }
    let cause = root_cause(&error);
    if cause == HEAD_TOO_LARGE {
        let what = "the headers of the response are longer than 400 KB, or more than 100";
        return at(host, what).with_retryable(false);
    }
    let is_of_stream = cause.contains(HEAD_REFUSED);
    if is_of_stream || cause.contains(HEAD_UNREADABLE) {
        let what = format!(
            "the headers of the response are longer than {} KiB, or not what HTTP/2 allows ({cause})",
            HEADER_LIST / 1024
        );
        // One that breaks the connection breaks it for others too, which may be answered later.
        return at(host, &what).with_retryable(!is_of_stream);
    }
    #[cfg(any(feature = "tls-ring", feature = "tls-aws-lc"))]
    if distrusts(&error) {
        let what = "the certificate of the server is not trusted";
        // It is the same when it is shown again.
        return with_cause(host, what, error).with_retryable(false);
    }
    let connecting = transport.connect_timeout;
    let what = if error.is_connect() && error.is_timeout() {
        format!("connecting took longer than {connecting:?} (`with_connect_timeout`)")
    } else if error.is_connect() {
        "connecting failed".to_owned()
    } else {
        "the connection broke off before the response".to_owned()
    };
    with_cause(host, &what, error)
}

/// The client's words for a head over HTTP/1.1 that is longer than it takes.
const HEAD_TOO_LARGE: &str = "message head is too large";

/// The client's words for a head over HTTP/2 that it does not take: it does not tell a long one from a
/// wrong one. What the server detects, it calls received.
const HEAD_REFUSED: &str = "stream error detected: unspecific protocol error";

/// The same for one that is so long that the connection cannot go on.
const HEAD_UNREADABLE: &str =
    "connection error detected: unable to maintain the header compression context";

/// The connection failed within the body.
pub(super) fn within(error: reqwest::Error, host: &str) -> ModelError {
    let what = "the connection broke off in the middle of the response";
    with_cause(host, what, error)
}

/// The body is not what its header says.
pub(super) fn not_compressed(host: &str, why: &str) -> ModelError {
    let message = format!("{host}: the response cannot be decompressed: {why}");
    ModelError::new(ModelErrorKind::MalformedResponse, message)
}

fn with_cause(host: &str, what: &str, error: reqwest::Error) -> ModelError {
    let cause = root_cause(&error.without_url());
    at(host, &format!("{what} ({cause})"))
}

/// Returns true if the certificate of the server was refused. A certificate whose revocation cannot be looked
/// up now, or only in a list that has expired, does not count: it may be accepted later.
#[cfg(any(feature = "tls-ring", feature = "tls-aws-lc"))]
fn distrusts(error: &(dyn Error + 'static)) -> bool {
    use rustls::{CertificateError as Why, Error as Tls};

    std::iter::successors(Some(error), |error| beneath(*error)).any(|error| {
        match error.downcast_ref() {
            Some(Tls::InvalidCertificate(why)) => !matches!(
                why,
                Why::UnknownRevocationStatus
                    | Why::ExpiredRevocationList
                    | Why::ExpiredRevocationListContext { .. }
            ),
            Some(Tls::NoCertificatesPresented) => true,
            _ => false,
        }
    })
}

/// The error that another one was made of. One of I/O gives the source of what it holds as its own, so
/// that what it holds is asked for.
#[cfg(any(feature = "tls-ring", feature = "tls-aws-lc"))]
fn beneath<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    let held = error
        .downcast_ref::<std::io::Error>()
        .and_then(std::io::Error::get_ref);
    held.map_or_else(|| error.source(), |held| Some(held))
}

fn root_cause(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

#[cfg(all(test, any(feature = "tls-ring", feature = "tls-aws-lc")))]
mod tests {
    use std::{io, time::Duration};

    use rustls::{CertificateError as Why, Error as Tls, pki_types::UnixTime};

    use super::distrusts;

    #[test]
    fn a_certificate_that_may_be_accepted_later_is_not_distrusted() {
        let check = |why: Why, expected: bool| {
            let shown = format!("{why:?}");
            let error = Tls::InvalidCertificate(why);
            assert_eq!(distrusts(&error), expected, "{shown}");
            assert_eq!(distrusts(&io::Error::other(error)), expected, "{shown}");
        };
        let at = |seconds| UnixTime::since_unix_epoch(Duration::from_secs(seconds));
        let (time, next_update) = (at(2), at(1));
        check(Why::UnknownIssuer, true);
        check(Why::Revoked, true);
        check(Why::UnknownRevocationStatus, false);
        check(Why::ExpiredRevocationList, false);
        check(
            Why::ExpiredRevocationListContext { time, next_update },
            false,
        );
    }
}
