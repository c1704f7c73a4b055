//! Checks of answers that never end.

use std::future::pending;

use tokio::time::Instant;
use toolwright::{
    ModelResponse, Runner,
    model::{Fallback, Guarded, ModelErrorKind, Retry},
    run::Failure,
    testing::ScriptedModel,
};

#[tokio::test(start_paused = true)]
async fn a_check_that_never_ends_refuses_the_answer() {
    let answers = ["one", "two"].map(ModelResponse::from_text);
    let model = Fallback::new([Retry::new(ScriptedModel::new(answers))]);
    let model = Guarded::new(model).check_answer(|_: String| pending::<Result<(), String>>());
    let (runner, begun) = (Runner::builder(model).build(), Instant::now());
    let ended = runner.expect("is consistent").run("?").await;
    let Failure::Model(error) = ended.expect_err("nothing is checked").failure else {
        panic!("the model fails");
    };
    assert_eq!(error.kind, ModelErrorKind::ContentFilter);
    assert!(error.message.contains("took too long"), "{error}");
    let time = 2 * Guarded::<ScriptedModel>::CHECK_TIME;
    assert_eq!(begun.elapsed().as_secs(), time.as_secs());
}
