//! The first difference ends a replay, and is shown.

use toolwright::{
    ModelResponse, Runner, Toolset,
    model::{ModelErrorKind, ModelSettings},
    run::{Failure, Finish, Limits, OnLimit, RunError},
    testing::ScriptedModel,
    tool, toolset,
};
use toolwright_recording::{Recording, RecordingError};

use super::{Folder, QUESTION, call, get_time, get_weather, recorded, runner, tools};

/// Replays the run of two rounds with another runner, and gives what it fails with.
async fn fails(folder: &Folder, runner: impl FnOnce(Recording) -> Runner) -> (RunError, String) {
    let replay = Recording::replay(folder.file()).expect("it is there");
    let error = runner(replay.clone())
        .run(QUESTION)
        .await
        .expect_err("it is another run");
    let Finish::Failed(Failure::Model(model)) = &error.outcome.finish else {
        panic!("the model is the reason, not {:?}", error.outcome.finish);
    };
    assert_eq!(
        (model.kind, model.retryable),
        (ModelErrorKind::NotRecorded, false)
    );
    let finished = replay.finish().expect_err("it is another run").to_string();
    assert_eq!(model.message, finished);
    let path = folder.file().display().to_string();
    (error, finished.replace(&path, "FILE"))
}

const END: &str = "\nIf that is meant, record it anew: TOOLWRIGHT_RECORD=1 cargo test";

#[tokio::test]
async fn a_changed_system_text_is_shown_by_its_lines() {
    let folder = Folder::new("system");
    recorded(&folder).await;
    let (_, shown) = fails(&folder, |model| {
        let runner = Runner::builder(model)
            .system("Be brief.\nBe very kind.")
            .tools(tools());
        runner.build().expect("it can be built")
    })
    .await;
    let expected = "request 1 of 3 in `FILE` would be different now (`-` recorded, `+` now)\n\n\
        system\n  Be brief.\n- Be kind.\n+ Be very kind.\n";
    assert_eq!(shown, format!("{expected}{END}"));
}

#[tokio::test]
async fn a_changed_tool_is_shown_by_its_name() {
    /// Get today's weather of a city.
    #[tool(read_only)]
    async fn get_weather(
        city: String,
        /// The unit.
        #[tool(default)]
        unit: String,
    ) -> String {
        format!("sunny in {city}{unit}")
    }
    let folder = Folder::new("tool");
    recorded(&folder).await;
    let (_, shown) = fails(&folder, |model| {
        runner(model, toolset![get_weather, get_time])
    })
    .await;
    let expected = "request 1 of 3 in `FILE` would be different now (`-` recorded, `+` now)\n\n\
        tools.get_weather.description\n\
        - Get the weather of a city.\n\
        + Get today's weather of a city.\n\n\
        tools.get_weather.input_schema.properties.unit\n\
        + {\"type\":\"string\",\"description\":\"The unit.\"";
    assert!(shown.starts_with(expected), "{shown}");

    let (_, shown) = fails(&folder, |model| runner(model, toolset![get_time])).await;
    assert!(
        shown.contains("\n\ntools.get_weather\n- {\"name\":\"get_weather\","),
        "{shown}"
    );
    let (_, shown) = fails(&folder, |model| {
        runner(model, toolset![get_time, super::get_weather])
    })
    .await;
    let order =
        "\n\ntools (the order of its members)\n- get_weather, get_time\n+ get_time, get_weather\n";
    assert!(shown.contains(order), "{shown}");
}

#[tokio::test]
async fn a_changed_result_is_shown_with_its_tool() {
    /// Get the time of a city.
    #[tool(read_only)]
    async fn get_time(city: String) -> String {
        format!("midnight in {city}")
    }
    let folder = Folder::new("result");
    recorded(&folder).await;
    let (error, shown) = fails(&folder, |model| {
        runner(model, toolset![get_weather, get_time])
    })
    .await;
    let expected = "request 2 of 3 in `FILE` would be different now (`-` recorded, `+` now)\n\n\
        messages[2].results[1].output[0].content (the result of `get_time`)\n\
        - noon in Oslo\n\
        + midnight in Oslo\n";
    assert_eq!(shown, format!("{expected}{END}"));
    assert_eq!(error.outcome.rounds, 1, "what was before it is kept");
}

#[tokio::test]
async fn another_question_and_other_settings_are_shown() {
    let folder = Folder::new("question");
    recorded(&folder).await;
    let replay = Recording::replay(folder.file()).expect("it is there");
    let settings = ModelSettings::new().with_temperature(0.5);
    let runner = Runner::builder(replay)
        .system("Be brief.\nBe kind.")
        .tools(tools())
        .settings(settings);
    let runner = runner.build().expect("it can be built");
    let shown = runner
        .run("How is Oslo?")
        .await
        .expect_err("it is another run")
        .to_string();
    for part in [
        "\n\nsettings.temperature\n+ 0.5\n",
        "\n\nmessages[0].parts[0].content\n- How are Oslo and Bergen?\n+ How is Oslo?\n",
    ] {
        assert!(shown.contains(part), "{shown}");
    }
}

#[tokio::test]
async fn one_request_more_and_one_fewer_are_told() {
    let (short, folder) = (Folder::new("short"), Folder::new("fewer"));
    recorded(&folder).await;
    let text = folder.text();
    std::fs::create_dir_all(short.file().parent().expect("it has one")).expect("is made");
    let lines: Vec<_> = text.lines().take(3).collect();
    std::fs::write(short.file(), lines.join("\n")).expect("is written");
    let (_, shown) = fails(&short, |model| runner(model, tools())).await;
    let expected = "the run would send one more request than the 2 in `FILE`: compared with the last of them (`-` recorded, `+` now)\n\nmessages[3]\n+ {\"role\":\"assistant\",\"parts\":[{\"type\":\"call\"";
    assert!(shown.starts_with(expected), "{shown}");

    let replay = Recording::replay(folder.file()).expect("it is there");
    let mut limits = Limits::default();
    limits.max_rounds = 1;
    limits.on_limit = OnLimit::Stop;
    let runner = Runner::builder(replay.clone())
        .system("Be brief.\nBe kind.")
        .tools(tools());
    let runner = runner.limits(limits).build().expect("it can be built");
    runner.run(QUESTION).await.expect("a limit ends it");
    let error = replay.finish().expect_err("it sent less");
    assert!(
        matches!(
            &error,
            RecordingError::Unasked {
                first: 3,
                recorded: 3,
                ..
            }
        ),
        "{error:?}"
    );
    let shown = error.to_string();
    assert!(
        shown.contains("the run is over before request 3 of 3 in `"),
        "{shown}"
    );
    assert!(shown.contains("sunny in Bergen"), "{shown}");
}

#[tokio::test]
async fn nothing_is_answered_after_a_divergence() {
    let folder = Folder::new("after");
    recorded(&folder).await;
    let replay = Recording::replay(folder.file()).expect("it is there");
    let runner = runner(replay.clone(), tools());
    let first = runner
        .run("Another one?")
        .await
        .expect_err("it is another run")
        .to_string();
    let second = runner
        .run(QUESTION)
        .await
        .expect_err("it is over")
        .to_string();
    assert_eq!(first, second);
}

#[tokio::test]
async fn a_long_text_is_shown_where_it_differs() {
    let folder = Folder::new("long");
    let long = |middle: &str| format!("{}{middle}{}", "ä".repeat(500), "ö".repeat(500));
    let model = ScriptedModel::new([ModelResponse::from_text("Yes.")]);
    let recording = Recording::record(folder.file(), model).expect("can be written");
    let live = runner(recording.clone(), Toolset::new())
        .run(long("then"))
        .await;
    live.expect("answers");
    recording.finish().expect("is written");
    let replay = Recording::replay(folder.file()).expect("it is there");
    let error = runner(replay, Toolset::new()).run(long("now")).await;
    let shown = error.expect_err("it is another run").to_string();
    let shown_line = |mark: char, middle: &str, after: usize| {
        format!(
            "\n{mark} …{}{middle}{}…\n",
            "ä".repeat(20),
            "ö".repeat(after)
        )
    };
    assert!(shown.contains(&shown_line('-', "then", 78)), "{shown}");
    assert!(shown.contains(&shown_line('+', "now", 78)), "{shown}");
}

#[tokio::test]
async fn what_a_result_says_to_the_log_is_not_compared() {
    /// Fail, whatever is asked.
    #[tool(read_only)]
    async fn fail() -> Result<(), std::num::ParseIntError> {
        Err(std::env::var("NO_SUCH")
            .unwrap_or_default()
            .parse::<u8>()
            .expect_err("is none"))
    }
    let folder = Folder::new("log");
    let model = ScriptedModel::new([
        ModelResponse::from_calls([call("a", "fail", "{}")]),
        ModelResponse::from_text("It failed."),
    ]);
    let recording = Recording::record(folder.file(), model).expect("can be written");
    runner(recording.clone(), toolset![fail])
        .run(QUESTION)
        .await
        .expect("answers");
    recording.finish().expect("is written");
    assert!(
        !folder.text().contains("cannot parse integer"),
        "{}",
        folder.text()
    );
}
