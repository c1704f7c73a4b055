//! Files that are missing, damaged, cut off or newer.

use std::{fs, path::Path};

use toolwright::{ModelResponse, Runner, testing::ScriptedModel};
use toolwright_recording::{Recording, RecordingError};

use super::{Folder, QUESTION, recorded, runner, tools};

/// What is wrong with a file of these bytes, and the file's own name left out.
fn refused(folder: &Folder, bytes: impl AsRef<[u8]>) -> RecordingError {
    fs::write(folder.file(), bytes).expect("is written");
    Recording::replay(folder.file()).expect_err("it is none")
}

#[tokio::test]
async fn a_file_that_is_cut_off_is_a_prefix_or_refused() {
    let folder = Folder::new("cut");
    recorded(&folder).await;
    let whole = folder.text();
    for end in 0..whole.len() {
        fs::write(folder.file(), &whole[..end]).expect("is written");
        let lines = whole[..end].lines().count();
        // Without its line end a line is still whole.
        let is_whole = whole[end..].starts_with('\n') || whole[..end].ends_with('\n');
        match Recording::replay(folder.file()) {
            Ok(_) => assert!(is_whole, "{end}"),
            Err(RecordingError::Damaged { line, .. }) => {
                assert!(!is_whole, "{end}");
                assert_eq!(line, lines.max(1), "{end}");
            }
            Err(other) => panic!("{end}: {other}"),
        }
    }
    // Half a run diverges where it is cut.
    let (half, _) = whole.trim_end().rsplit_once('\n').expect("it has lines");
    fs::write(folder.file(), half).expect("is written");
    let replay = Recording::replay(folder.file()).expect("its lines are whole");
    runner(replay, tools())
        .run(QUESTION)
        .await
        .expect_err("it is cut off");
}

#[tokio::test]
async fn damage_is_told_with_its_line() {
    let folder = Folder::new("damaged");
    recorded(&folder).await;
    let whole = folder.text();
    let lines: Vec<&str> = whole.lines().collect();
    for (bytes, told) in [
        (
            String::new(),
            "line 1 of the recording `FILE` is damaged: the file is empty",
        ),
        (
            "{}\n".to_owned(),
            "line 1 of the recording `FILE` is damaged: not the first line",
        ),
        (
            whole.replace("recording\":1", "recording\":2"),
            "version 2, and this program reads up to 1: use a newer",
        ),
        (
            whole.replace("recording\":1", "recording\":0"),
            "line 1 of the recording `FILE` is damaged: there is no version 0",
        ),
        (
            format!("{}\n{}\n<<<<<<< HEAD\n{}", lines[0], lines[1], lines[2]),
            "line 3 of the recording `FILE` is damaged: expected value",
        ),
        (
            format!("{}\n{}\n", lines[0], lines[2]),
            "line 2 of the recording `FILE` is damaged: its request has no `system`",
        ),
        (
            format!("{}\n{}\n{}\n", lines[0], lines[1], lines[3]),
            "it keeps 3 messages of a request that has fewer",
        ),
        (
            whole.replace("\"reply\":", "\"answer\":"),
            "the line must have exactly one of `reply`, `error` and `given_up`",
        ),
        (
            whole.replace("\"exchange\":2", "\"exchange\":7"),
            "exchange 2 is missing",
        ),
        (
            whole.replace("\"keep\":1", "\"kept\":1"),
            "line 3 of the recording `FILE` is damaged: its request has the unknown field `kept`",
        ),
    ] {
        let error = refused(&folder, bytes).to_string();
        let error = error.replace(&folder.file().display().to_string(), "FILE");
        assert!(error.contains(told), "{error}\nnot\n{told}");
        assert!(error.ends_with("TOOLWRIGHT_RECORD=1 cargo test"), "{error}");
    }
    let error = refused(&folder, b"{\"toolwright_recording\":1}\n\xff\n").to_string();
    assert!(error.contains("the line is not UTF-8"), "{error}");
    // Other line ends and an empty line at the end are as good.
    let other = whole.replace('\n', "\r\n") + "\n";
    fs::write(folder.file(), other).expect("is written");
    let replay = Recording::replay(folder.file()).expect("it is one");
    runner(replay.clone(), tools())
        .run(QUESTION)
        .await
        .expect("answers");
    replay.finish().expect("it is the same run");
}

#[tokio::test]
async fn a_recording_that_is_not_finished_leaves_the_one_before() {
    let folder = Folder::new("unfinished");
    recorded(&folder).await;
    let before = folder.text();
    let model = ScriptedModel::new([ModelResponse::from_text("It is.")]);
    let recording = Recording::record(folder.file(), model).expect("can be written");
    let live = Runner::builder(recording.clone())
        .build()
        .expect("it can be built");
    live.run("The time?").await.expect("answers");
    assert_eq!(folder.text(), before);
    drop((recording, live));
    assert_eq!(folder.text(), before);
    // What was recorded is there all the same.
    let new = format!("{}.new", folder.file().display());
    let replay = Recording::replay(new).expect("its lines are whole");
    let again = Runner::builder(replay.clone())
        .build()
        .expect("it can be built");
    again.run("The time?").await.expect("answers");
    replay.finish().expect("it is the same run");
}

#[tokio::test]
async fn a_change_stands_in_the_file_once() {
    let folder = Folder::new("once");
    recorded(&folder).await;
    let text = folder.text();
    for once in [
        "Be brief.",
        "Get the weather of a city.",
        QUESTION,
        "\"temperature\"",
        "sunny in Oslo",
    ] {
        assert!(text.matches(once).count() <= 1, "{once} in {text}");
    }
    assert_eq!(text.lines().count(), 4);
    assert_eq!(text.lines().next(), Some("{\"toolwright_recording\":1}"));
}

#[test]
fn what_is_not_there_says_how_it_is_recorded() {
    let folder = Folder::new("missing");
    let error = Recording::replay(folder.file()).expect_err("it is not there");
    assert!(matches!(error, RecordingError::Missing { .. }));
    let told = error.to_string();
    assert!(
        told.contains("To record it, with the real model: TOOLWRIGHT_RECORD=1 cargo test"),
        "{told}"
    );
    let error = Recording::replay(std::env::temp_dir()).expect_err("it is a folder");
    assert!(matches!(error, RecordingError::Unreadable { .. }));
    let beneath_a_file = Path::new(file!()).join("run.jsonl");
    let error =
        Recording::record(beneath_a_file, ScriptedModel::default()).expect_err("it is a file");
    assert!(matches!(error, RecordingError::Unwritable { .. }));
}
