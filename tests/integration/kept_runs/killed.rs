//! A process that is killed while it drives a run, and started again until the run is over.

mod child;

use std::{
    collections::BTreeMap,
    env, fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

use toolwright::{
    run::{Finish, Run},
    store::{Entry, FileStore, RunFilter, SqliteStore, Store},
};

/// The folder of the run, for the process that drives it.
const FOLDER: &str = "TOOLWRIGHT_TEST_FOLDER";
/// The kind of store.
const STORE: &str = "TOOLWRIGHT_TEST_STORE";
/// How often a process is killed for each store; 300 for a long test.
const KILLS: &str = "TOOLWRIGHT_TEST_KILLS";

/// Numbers that look random and are the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % end
    }
}

/// Drives the run of a folder in a process of its own, which is killed after so many steps and so many turns of waiting.
/// It gives whether the run is over.
fn driven(folder: &Path, store: &str, kill: Option<(u64, u64)>) -> bool {
    let program = env::current_exe().expect("the program has a name");
    let mut child = Command::new(program)
        .args(["--exact", "kept_runs::killed::child::drives_a_run"])
        .args(["--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .env(STORE, store)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let output = child.stdout.take().expect("its output is read");
    let mut is_over = false;
    let mut steps = 0_u64;
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        is_over |= line.contains("is over");
        steps += u64::from(line.contains("step"));
        if let Some((last, turns)) = kill
            && steps >= last
        {
            for turn in 0..turns {
                std::hint::black_box(turn);
            }
            child.kill().expect("it is a process of this test");
            break;
        }
    }
    child.wait().expect("it has ended");
    is_over
}

/// How often each call of a tool began, by the file that the tool wrote.
fn began(folder: &Path, tool: &str) -> BTreeMap<String, usize> {
    let text = fs::read_to_string(folder.join(tool)).unwrap_or_default();
    let mut began = BTreeMap::new();
    for call in text.lines() {
        *began.entry(call.to_owned()).or_default() += 1;
    }
    began
}

/// Checks what is left when the run is over.
async fn check(folder: &Path, store: &impl Store) {
    let runs = store.list(&RunFilter::default()).await.expect("it is read");
    let [run] = &runs.items[..] else {
        panic!("{} runs", runs.items.len());
    };
    let id = &run.info.run_id;
    let loaded = store.load(id, 0).await.expect("it is there");
    let entries = (0..).zip(&loaded.entries);
    let records: Vec<_> = entries
        .map(|(place, text)| Entry::from_text(text, id, place).expect("is whole").record)
        .collect();
    let (run, missing) = Run::replay(&records).expect("is the log of a run");
    assert!(missing.is_empty());
    let outcome = run.outcome().expect("it is over");
    assert_eq!(
        (outcome.finish.clone(), outcome.rounds),
        (Finish::Answered, child::ROUNDS)
    );

    let (paid, looked) = (began(folder, "pay"), began(folder, "look"));
    for (round, reply) in outcome.tool_rounds().enumerate() {
        assert_eq!(reply.results.len(), 2);
        let (pay, look) = (format!("pay {round}"), format!("look {round}"));
        let times = paid.get(&pay).copied().unwrap_or_default();
        let result = &reply.results[0];
        if result.is_error() {
            assert!(times <= 1, "{pay}: {times}");
            let text = result.to_model_text();
            assert!(text.contains("may have taken effect"), "{text}");
        } else {
            assert_eq!(times, 1, "{pay}");
        }
        assert!(looked.get(&look).is_some_and(|times| *times >= 1), "{look}");
        assert!(!reply.results[1].is_error());
    }
}

/// Kills the process at every step in turn, or at random ones, until it has been killed so often.
async fn killed(kind: &str, seed: u64) {
    let mut numbers = Numbers(seed);
    let kills = env::var(KILLS).ok().and_then(|kills| kills.parse().ok());
    let (mut left, from) = (kills.unwrap_or(40_u32), Instant::now());
    let mut runs = 0;
    while left > 0 {
        let folder = Folder::new(&format!("{kind}-{runs}"));
        runs += 1;
        let mut at = 0;
        loop {
            let kill = (left > 0).then(|| {
                at = if runs == 1 {
                    at + 1
                } else {
                    1 + numbers.below(9)
                };
                (at.min(9), numbers.below(2_000_000))
            });
            if driven(&folder.0, kind, kill) {
                break;
            }
            assert!(kill.is_some(), "a process that nobody killed ends the run");
            left = left.saturating_sub(1);
        }
        let place = folder.0.join("store");
        if kind == "files" {
            let store = FileStore::open(place).await.expect("it opens");
            check(&folder.0, &store).await;
        } else {
            let store = SqliteStore::open(place).await.expect("it opens");
            check(&folder.0, &store).await;
        }
    }
    println!(
        "seed {seed}: {runs} runs over {kind} in {:?}",
        from.elapsed()
    );
}

#[tokio::test]
async fn a_killed_process_loses_nothing_in_files() {
    killed("files", 17).await;
}

#[tokio::test]
async fn a_killed_process_loses_nothing_in_sqlite() {
    killed("sqlite", 29).await;
}

/// A folder that is gone at the end of the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("toolwright-killed-{}-{name}", std::process::id());
        let folder = env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("is written");
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
