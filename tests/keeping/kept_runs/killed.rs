//! A process that is killed while it drives a run, and started again until the run is over.

mod child;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod power;

use std::{path::Path, time::Instant};

use toolwright::{
    ToolResult,
    run::{Finish, Run},
    store::{Entry, RunFilter, Scope, Store},
};

use super::processes::{Folder, Kind, Numbers, Point, Process, STEPS, Signal, began, number};

/// How often a process is killed for each store; 300 for a long test.
const KILLS: &str = "TOOLWRIGHT_TEST_KILLS";

/// When a process is killed.
#[derive(Debug, Clone, Copy)]
enum Kill {
    /// After so many steps, and so many turns of waiting.
    Somewhere(u64, u64),
    /// At this point, by itself.
    At(u64),
    Never,
}

/// What a process came to.
struct Driven {
    is_over: bool,
    /// True if it came to the point at which it is killed. The signal may come too late.
    came_to_point: bool,
    /// The number of entries of the log that are synced, as it was told.
    synced: u64,
}

/// Drives the run of a folder in a process of its own, which is killed.
fn driven(folder: &Path, kind: Kind, kill: Kill, environment: &[(&str, String)]) -> Driven {
    let point = match kill {
        Kill::At(after) => Some(Point {
            signal: Signal::Kill,
            after,
        }),
        Kill::Somewhere(..) | Kill::Never => None,
    };
    let test = "killed::child::drives_a_run";
    let (mut process, said) = Process::start(test, folder, kind, point, environment);
    let (mut is_over, mut came_to_point) = (false, false);
    let (mut steps, mut synced) = (0, 0);
    for said in said {
        is_over |= said == "over";
        came_to_point |= said == "point reached";
        steps += u64::from(said == "step");
        if let ["synced", entries] = said.split(' ').collect::<Vec<_>>()[..] {
            synced = entries.parse().expect("a number");
        }
        if let Kill::Somewhere(last, turns) = kill
            && steps >= last
        {
            for turn in 0..turns {
                std::hint::black_box(turn);
            }
            process.signal(Signal::Kill);
            break;
        }
    }
    let succeeds = process.succeeds();
    assert!(
        succeeds || !matches!(kill, Kill::Never),
        "nobody has killed it"
    );
    Driven {
        is_over,
        came_to_point,
        synced,
    }
}

/// Checks what is left when the run is over.
async fn check(folder: &Path, store: &dyn Store) {
    let runs = store
        .list(Scope::All, &RunFilter::default())
        .await
        .expect("it is read");
    let [run] = &runs.items[..] else {
        panic!("{} runs", runs.items.len());
    };
    let id = &run.info.run_id;
    let loaded = store.load(Scope::All, id, 0).await.expect("it is there");
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
        assert_eq!(reply.results.len(), 3);
        let (pay, look) = (format!("go pay {round}"), format!("go look {round}"));
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
        check_shipped(folder, round, &reply.results[2]);
    }
}

/// Checks the call that records checkpoints. What was done before one that is stored is not done again, and it goes on from
/// there.
fn check_shipped(folder: &Path, round: usize, result: &ToolResult) {
    let ship = format!("go ship {round}");
    let times = STEPS.map(|step| began(folder, step).get(&ship).copied().unwrap_or_default());
    if result.is_error() {
        let text = result.to_model_text();
        assert!(text.contains("may have taken effect"), "{text}");
        // It has come to no checkpoint.
        assert!(times[0] <= 1 && times[1..] == [0, 0], "{ship}: {times:?}");
        return;
    }
    assert_eq!(times[0], 1, "{ship}");
    // Its end may be lost with the process.
    for (step, times) in STEPS.iter().zip(times).skip(1) {
        assert!(times >= 1, "{ship}, {step}");
    }
}

/// Kills the process at every step in turn, or at random ones, until it has been killed so often.
async fn killed(kind: Kind, seed: u64) {
    let mut numbers = Numbers(seed);
    let (mut left, from) = (number(KILLS).unwrap_or(20), Instant::now());
    let mut runs = 0;
    while left > 0 {
        let folder = Folder::new(&format!("killed-{}-{runs}", kind.name()));
        runs += 1;
        let mut at = 0;
        loop {
            let kill = if left > 0 {
                at = if runs == 1 {
                    at + 1
                } else {
                    1 + numbers.below(9)
                };
                Kill::Somewhere(at.min(9), numbers.below(2_000_000))
            } else {
                Kill::Never
            };
            if driven(folder.path(), kind, kill, &[]).is_over {
                break;
            }
            left = left.saturating_sub(1);
        }
        check(folder.path(), &*kind.open(folder.path()).await).await;
    }
    let name = kind.name();
    println!(
        "seed {seed}: {runs} runs over {name} in {:?}",
        from.elapsed()
    );
}

/// Kills the process before, in and after each of its writes, and before and after each tool.
async fn killed_at_every_point(kind: Kind) {
    let from = Instant::now();
    for at in 0.. {
        let folder = Folder::new(&format!("point-{}-{at}", kind.name()));
        let first = driven(folder.path(), kind, Kill::At(at), &[]);
        if !first.is_over {
            let second = driven(folder.path(), kind, Kill::Never, &[]);
            assert!(second.is_over, "point {at}");
        }
        check(folder.path(), &*kind.open(folder.path()).await).await;
        if !first.came_to_point {
            assert!(at >= 24, "only {at} points");
            let name = kind.name();
            println!("{at} points over {name} in {:?}", from.elapsed());
            break;
        }
    }
}

#[tokio::test]
async fn a_killed_process_loses_nothing_in_sqlite() {
    killed(Kind::Sqlite, 29).await;
}

#[tokio::test]
async fn a_process_that_is_killed_at_any_point_loses_nothing_in_sqlite() {
    killed_at_every_point(Kind::Sqlite).await;
}

#[tokio::test]
#[ignore = "needs PostgreSQL: CONTRIBUTING.md"]
async fn a_killed_process_loses_nothing_in_postgres() {
    killed(Kind::Postgres, 31).await;
}

#[tokio::test]
#[ignore = "needs PostgreSQL: CONTRIBUTING.md"]
async fn a_process_that_is_killed_at_any_point_loses_nothing_in_postgres() {
    killed_at_every_point(Kind::Postgres).await;
}
