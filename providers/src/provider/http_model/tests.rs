use toolwright_core::model::ModelErrorKind;

use super::{HttpModel, address};
use crate::provider::{HttpOptions, OpenAiChat, OpenAiChatCodec, Vendor};

#[test]
fn the_path_is_added_and_the_query_kept() {
    let check = |base, expected| {
        let url = address::of(base, None, "chat/completions", None).expect("is a base URL");
        assert_eq!(url.as_str(), expected);
    };
    check("http://h/v1", "http://h/v1/chat/completions");
    check("http://h/v1/", "http://h/v1/chat/completions");
    check("http://h", "http://h/chat/completions");
    check("https://h/x?api=1", "https://h/x/chat/completions?api=1");
    let version = |base| address::of(base, None, "v1/messages", None).expect("is a base URL");
    for base in ["http://h", "http://h/v1", "http://h/v1/"] {
        assert_eq!(version(base).as_str(), "http://h/v1/messages");
    }
    // A codec of the user's own may begin its path with a slash, and with a word that is no version.
    for (base, path, expected) in [
        ("http://h/api", "/chat", "http://h/api/chat"),
        ("http://h/v1", "/v1/chat", "http://h/v1/chat"),
        ("http://h/vision", "vision", "http://h/vision/vision"),
    ] {
        let url = address::of(base, None, path, None).expect("is a base URL");
        assert_eq!(url.as_str(), expected);
    }
    for wrong in ["", "h/v1", "ftp://h", "data:x"] {
        let error = address::of(wrong, None, "chat/completions", None).expect_err("is no base URL");
        assert_eq!(error.kind, ModelErrorKind::InvalidRequest, "{wrong}");
    }
}

#[test]
fn a_version_is_added_where_the_base_url_has_none() {
    let check = |base, expected| {
        let query = Some(("alt", "sse"));
        let url = address::of(base, Some("v1beta"), "models/m:generate", query);
        assert_eq!(url.expect("is a base URL").as_str(), expected);
    };
    check("http://h", "http://h/v1beta/models/m:generate?alt=sse");
    check("http://h/v1", "http://h/v1/models/m:generate?alt=sse");
    check(
        "http://h/vertex/",
        "http://h/vertex/v1beta/models/m:generate?alt=sse",
    );
    check(
        "http://h/v1beta1/projects/p/publishers/google?key=k",
        "http://h/v1beta1/projects/p/publishers/google/models/m:generate?key=k&alt=sse",
    );
}

#[test]
fn debug_shows_no_secret() {
    let model = OpenAiChat::new("m", "sk-secret")
        .with_base_url("https://me:pw-secret@h/v1?key=q-secret")
        .with_http(HttpOptions::new().with_header("x-key", "h-secret"));
    let shown = format!("{model:?}");
    assert!(!shown.contains("secret"), "{shown}");
    assert!(
        shown.contains("https://h/v1") && shown.contains("x-key"),
        "{shown}"
    );
}

#[test]
fn a_server_on_this_machine_needs_no_key() {
    let check = |variables: &[(&str, &str)], base: Option<&str>| {
        let model = HttpModel::from_variables(OpenAiChatCodec::new(), "m".into(), |name| {
            let found = variables.iter().find(|(have, _)| *have == name);
            found.map(|(_, value)| (*value).to_owned())
        });
        match (model, base) {
            (Ok(model), Some(base)) => assert_eq!(model.base_url, base),
            (Err(error), None) => assert_eq!(error.kind, ModelErrorKind::Authentication),
            (model, base) => panic!(
                "{:?} instead of {base:?}",
                model.map(|model| model.base_url)
            ),
        }
    };
    let (key, base) = ("OPENAI_API_KEY", "OPENAI_BASE_URL");
    check(&[], None);
    check(&[(key, " ")], None);
    check(&[(key, "k")], Some("https://api.openai.com/v1"));
    check(&[(base, "https://example.com/v1")], None);
    for local in [
        "http://localhost:1/v1",
        "http://127.0.0.1:1",
        "http://[::1]:1",
    ] {
        check(&[(base, local)], Some(local));
    }
}

#[test]
fn a_vendor_has_a_place_and_a_header_of_its_own() {
    let key = |name: &str| (name == "AZURE_OPENAI_API_KEY").then(|| "k".to_owned());
    let error = HttpModel::from_variables(OpenAiChatCodec::of(Vendor::AZURE), "m".into(), key)
        .expect_err("has no base URL");
    assert_eq!(error.kind, ModelErrorKind::InvalidRequest);
    assert!(error.message.contains("AZURE_OPENAI_BASE_URL"), "{error}");

    let header = |vendor, name: &str| {
        let model = OpenAiChat::new("m", "key-secret").with_vendor(vendor);
        let headers = model
            .http
            .headers(&"key-secret".into())
            .expect("can be carried");
        let value = headers.get(name).map(|value| value.as_bytes().to_vec());
        (value, model.http.base_url)
    };
    assert_eq!(
        header(Vendor::AZURE, "api-key").0.as_deref(),
        Some(&b"key-secret"[..])
    );
    assert_eq!(header(Vendor::AZURE, "authorization").0, None);
    let (key, base_url) = header(Vendor::XAI, "authorization");
    assert_eq!(key.as_deref(), Some(&b"Bearer key-secret"[..]));
    assert_eq!(base_url, "https://api.x.ai/v1");
}

#[test]
fn a_key_that_no_header_can_carry_is_not_shown() {
    let error = HttpModel::new(OpenAiChatCodec::new(), "m", "")
        .headers(&"sk\nsecret".into())
        .expect_err("has a line end");
    assert_eq!(error.kind, ModelErrorKind::InvalidRequest);
    assert!(!error.to_string().contains("secret"));
}
