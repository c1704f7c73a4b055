//! Models over HTTP/2, with a server on this machine that has a certificate of its own. What the system trusts
//! is said in the environment, so that the tests run in a process of their own.

use std::{
    env,
    path::PathBuf,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use bytes::Bytes;
use futures_util::{FutureExt, future::join_all};
use h2::server::SendResponse;
use http::Response;
use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};
use tokio_rustls::TlsAcceptor;
use toolwright::{
    ChatModel, OpenAiChat,
    model::{ModelErrorKind, Retry, collect},
};

use super::{END, PIECE, REPLY};
use crate::openai_chat::request;

/// How many bytes of headers the server sends.
type Headers = usize;

struct Server {
    address: String,
    connections: Arc<AtomicUsize>,
    requests: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    folder.join("tests/running/sending/http2").join(name)
}

impl Server {
    async fn start(protocol: &[u8], headers: Headers) -> Self {
        let certificate = CertificateDer::from_pem_file(file("certificate.pem")).expect("is one");
        let key = PrivateKeyDer::from_pem_file(file("key.pem")).expect("is one");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("knows some")
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .expect("fits");
        config.alpn_protocols = vec![protocol.to_vec()];
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("binds");
        let address = listener.local_addr().expect("is bound").to_string();
        let counts = [(); 2].map(|()| Arc::new(AtomicUsize::new(0)));
        let [connections, requests] = counts.clone();
        let task = tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                connections.fetch_add(1, Ordering::Relaxed);
                tokio::spawn(serve(
                    connection,
                    acceptor.clone(),
                    Arc::clone(&requests),
                    headers,
                ));
            }
        });
        let [connections, requests] = counts;
        Self {
            address,
            connections,
            requests,
            task,
        }
    }

    fn model(&self) -> OpenAiChat {
        OpenAiChat::new("m", "sk-secret").with_base_url(format!("https://{}/v1", self.address))
    }

    fn counts(&self) -> (usize, usize) {
        let [connections, requests] =
            [&self.connections, &self.requests].map(|count| count.load(Ordering::Relaxed));
        (connections, requests)
    }
}

async fn serve(
    connection: TcpStream,
    acceptor: TlsAcceptor,
    requests: Arc<AtomicUsize>,
    headers: Headers,
) {
    let Ok(connection) = acceptor.accept(connection).await else {
        return;
    };
    let Ok(mut connection) = h2::server::handshake(connection).await else {
        return;
    };
    while let Some(Ok((request, respond))) = connection.accept().await {
        requests.fetch_add(1, Ordering::Relaxed);
        tokio::spawn(answer(request.into_body(), respond, headers));
    }
}

/// Answers once the request has come whole, streamed if it asks for that.
async fn answer(mut body: h2::RecvStream, mut respond: SendResponse<Bytes>, headers: Headers) {
    let mut asked = Vec::new();
    while let Some(Ok(piece)) = body.data().await {
        asked.extend_from_slice(&piece);
        let _ = body.flow_control().release_capacity(piece.len());
    }
    let is_streamed = String::from_utf8_lossy(&asked).contains("\"stream\":true");
    let reply = if is_streamed {
        format!("{PIECE}{END}data: [DONE]\n\n")
    } else {
        REPLY.to_owned()
    };
    let mut response = Response::builder().status(200);
    for number in 0..headers / 1_000 {
        response = response.header(format!("x-{number}"), "y".repeat(1_000));
    }
    let response = response.body(()).expect("is a head");
    if let Ok(mut sending) = respond.send_response(response, false) {
        let _ = sending.send_data(Bytes::from(reply), true);
    }
}

/// Runs the tests below that a process with other settings has to run, which trusts this certificate.
fn run_those(of: &[&str], trusted: &str, passed: &str) {
    let program = env::current_exe().expect("runs");
    let tests = Command::new(program)
        .args(of)
        .arg("--ignored")
        .env("SSL_CERT_FILE", file(trusted))
        .output()
        .expect("starts");
    let said = String::from_utf8_lossy(&tests.stdout);
    assert!(tests.status.success() && said.contains(passed), "{said}");
}

#[test]
fn over_http2() {
    let of = ["sending::http2::", "--skip", STRANGER];
    run_those(&of, "certificate.pem", "3 passed");
}

/// What the process that does not trust the server runs.
const STRANGER: &str = "sending::http2::a_certificate_of_a_stranger";

#[test]
fn without_trust() {
    run_those(&[STRANGER], "stranger.pem", "1 passed");
}

#[tokio::test]
#[ignore = "needs a process that trusts another certificate: `without_trust` starts one and runs it there"]
async fn a_certificate_of_a_stranger_is_not_shown_twice() {
    let server = Server::start(b"h2", 0).await;
    let model = Retry::new(server.model());
    let whole = model.complete(&request()).await;
    let streamed = collect(model.stream(&request())).await;
    for error in [whole, streamed] {
        let error = error.expect_err("nobody trusts it");
        assert_eq!(error.kind, ModelErrorKind::Transport);
        assert!(error.message.contains("certificate"), "{error}");
        assert!(!error.retryable, "{error}");
    }
    assert_eq!(server.counts(), (2, 0), "connections and requests");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a process that trusts the certificate of this test: `over_http2` starts one and runs it there"]
async fn many_requests_share_a_connection() {
    let server = Server::start(b"h2", 0).await;
    let model = server.model();
    model.complete(&request()).await.expect("answers");
    for round in 1..=2 {
        let replies = (0..300).map(|number| {
            let model = model.clone();
            tokio::spawn(async move {
                if number % 2 == 0 {
                    model.complete(&request()).await
                } else {
                    collect(model.stream(&request())).await
                }
            })
        });
        for reply in join_all(replies).await {
            let reply = reply.expect("does not panic").expect("answers");
            assert_eq!(reply.text, "I am here.");
        }
        assert_eq!(
            server.counts(),
            (1, 1 + 300 * round),
            "connections and requests"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a process that trusts the certificate of this test: `over_http2` starts one and runs it there"]
async fn one_that_cannot_connect_keeps_nobody_waiting() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("binds");
    let address = listener.local_addr().expect("is bound");
    let model = OpenAiChat::new("m", "sk-secret").with_base_url(format!("https://{address}/v1"));
    drop(listener);
    let errors = (0..100).map(|_| async { model.complete(&request()).await });
    for error in join_all(errors).await {
        let error = error.expect_err("there is no server");
        assert_eq!(error.kind, ModelErrorKind::Transport);
        assert!(error.message.contains("connecting failed"), "{error}");
    }
    // Who gives up lets the next one connect.
    let server = Server::start(b"h2", 0).await;
    let model = server.model();
    let _ = model.complete(&request()).now_or_never();
    model.complete(&request()).await.expect("answers");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a process that trusts the certificate of this test: `over_http2` starts one and runs it there"]
async fn headers_over_the_limit_say_so() {
    let server = Server::start(b"h2", 15_000).await;
    server
        .model()
        .complete(&request())
        .await
        .expect("are taken");
    for bytes in [17_000, 60_000] {
        let server = Server::start(b"h2", bytes).await;
        let whole = server.model().complete(&request()).await;
        let streamed = collect(server.model().stream(&request())).await;
        for error in [whole, streamed] {
            let error = error.expect_err("is too long");
            assert!(
                error.message.contains("longer than 16 KiB"),
                "{bytes}: {error}"
            );
            // What breaks the connection cannot be told from what another request broke it with.
            assert_eq!(error.retryable, bytes > 20_000, "{error}");
        }
    }
}
