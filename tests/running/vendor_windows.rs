//! A run whose request is too long, in the words of each vendor, sends a shorter one.

use toolwright::{
    Conversation, OpenAiChat, Runner,
    run::{ContextWindow, Finish},
};

use crate::loopback::{Answer, Server};

/// A status and a body for "too long", as in `providers/src/provider/tests/vendors.rs`, where the sources are.
const TOO_LONG: &[(&str, &str)] = &[
    (
        "400 Bad Request",
        r#"{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 136973 tokens."}"#,
    ),
    (
        "400 Bad Request",
        r#"{"error":"The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input."}"#,
    ),
    (
        "422 Unprocessable Entity",
        r#"{"error":{"message":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 32769. Given: 33000 `inputs` tokens and 512 `max_new_tokens`"}}"#,
    ),
    (
        "400 Bad Request",
        r#"{"error":{"message":"Invalid request: Your request exceeded model token limit: 262144","type":"invalid_request_error"}}"#,
    ),
    (
        "400 Bad Request",
        r#"{"error":{"code":"1261","message":"Prompt 超长"}}"#,
    ),
    (
        "400 Bad Request",
        r#"{"error":{"code":"invalid_parameter_error","message":"<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]"}}"#,
    ),
    (
        "400 Bad Request",
        r#"{"object":"error","message":"Prompt contains 300000 tokens, too large for model with 131072 maximum context length","code":"3051"}"#,
    ),
    (
        "200 OK",
        r#"{"base_resp":{"status_code":2013,"status_msg":"invalid params, context window exceeds limit"}}"#,
    ),
];

#[tokio::test]
async fn a_request_that_is_too_long_is_followed_by_a_shorter_one() {
    for (status, body) in TOO_LONG {
        for streaming in [false, true] {
            let done = r#"{"choices":[{"message":{"content":"Done."},"finish_reason":"stop"}]}"#;
            let refused = Answer::http(status, "application/json", body);
            let server = Server::start(vec![refused, Answer::json(done)]).await;
            let runner =
                Runner::builder(OpenAiChat::new("m", "sk-secret").with_base_url(server.base_url()))
                    .context_window(ContextWindow::new(32_000))
                    .streaming(streaming)
                    .build()
                    .expect("is consistent");
            let mut conversation = Conversation::new();
            for number in 0..40 {
                conversation.push_user("What is it? ".repeat(100));
                conversation.push_response(toolwright::ModelResponse::from_text(format!(
                    "It is {number}."
                )));
            }
            let request = runner.request("And now?").within(&mut conversation);
            let outcome = request.run().await.expect("answers");
            assert_eq!(outcome.finish, Finish::Answered, "{body}");
            assert_eq!(outcome.text, "Done.", "{body}");
            let lengths = server.requests().into_iter();
            let lengths: Vec<_> = lengths.map(|request| request.body.len()).collect();
            let [first, second] = lengths[..] else {
                panic!("{body}: {lengths:?}");
            };
            assert!(second < first, "{body}: {lengths:?}");
        }
    }
}
