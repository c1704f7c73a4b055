//! Recordings of runs whose answer is a value of a type.

use toolwright::{
    Runner,
    run::{AnswerMeans, Limits},
    testing::ScriptedModel,
};
use toolwright_recording::Recording;

use super::{Folder, ModelResponse, tools};

fn runner(model: Recording, means: Option<AnswerMeans>) -> Runner {
    // The first request is the last one, which sends the schema to every model.
    let limits = Limits::default().with_max_rounds(0);
    let runner = Runner::builder(model).tools(tools()).limits(limits);
    let runner = match means {
        Some(means) => runner.answer_means(means),
        None => runner,
    };
    runner.build().expect("is whole")
}

#[tokio::test]
async fn a_replay_asks_for_the_answer_by_the_same_means() {
    for takes in [false, true] {
        let folder = Folder::new(&format!("typed-{takes}"));
        let model = ScriptedModel::new([ModelResponse::from_text(r#"{"answer": 7}"#)]);
        let model = if takes {
            model.with_answer_schemas()
        } else {
            model
        };
        let live = Recording::record(folder.file(), model).expect("is begun");
        let answer = runner(live.clone(), None)
            .request("How many?")
            .answer_as::<u8>()
            .run()
            .await;
        assert_eq!(answer.expect("fits").value, 7);
        live.finish().expect("is written");
        let said = format!("\"takes_answer_schema\":{takes}");
        assert!(folder.text().contains(&said), "{}", folder.text());
        let replay = Recording::replay(folder.file()).expect("it is there");
        let answer = runner(replay.clone(), None)
            .request("How many?")
            .answer_as::<u8>()
            .run()
            .await;
        assert_eq!(answer.expect("is the same").value, 7);
        replay.finish().expect("it is the same run");
        // Other means are another run.
        let replay = Recording::replay(folder.file()).expect("it is there");
        let runner = runner(replay.clone(), Some(AnswerMeans::Text));
        runner
            .request("How many?")
            .answer_as::<u8>()
            .run()
            .await
            .expect_err("differs");
        let error = replay.finish().expect_err("differs").to_string();
        let place = if takes { "answer_schema" } else { "tools" };
        assert!(error.contains(place), "{error}");
    }
}
