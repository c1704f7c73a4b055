//! Two processes that both try to drive one run. One of them is stopped for longer than its lease, and goes on.

mod child;

use std::{
    collections::BTreeMap,
    sync::mpsc::{RecvTimeoutError, Sender, channel},
    thread,
    time::{Duration, Instant},
};

use toolwright::{
    run::{Finish, Record, Run},
    store::{Entry, RunFilter, Scope, Store},
};

use super::processes::{Folder, Kind, Numbers, Point, Process, Signal, began, number};

/// The number of rounds for each store; 200 for a long test.
const TRIES: &str = "TOOLWRIGHT_TEST_TRIES";
/// 1 for the process that begins the run.
const BEGINS: &str = "TOOLWRIGHT_TEST_BEGINS";
/// The rounds of the run.
const ROUNDS: usize = 3;
/// The points of a process that drives the whole run.
const POINTS: u64 = 38;
/// Who is stopped goes on when the other one has said nothing for so long: it may wait for him.
const PATIENCE: Duration = Duration::from_secs(3);

/// What two processes did.
#[derive(Default)]
struct Seen {
    /// How many entries were appended from a place on, and the token of the lease, as a process was told.
    appended: BTreeMap<u64, (u64, u64)>,
    /// The appends that were refused.
    refused: usize,
    /// How often a process was stopped.
    stops: usize,
}

/// One of the two processes.
struct Driver {
    process: Process,
    /// It has stopped itself, and goes on when the other one has said so many things.
    stopped: Option<u64>,
    has_ended: bool,
}

impl Driver {
    fn start(folder: &Folder, kind: Kind, who: usize, stop: Option<u64>, said: &Said) -> Self {
        let point = stop.map(|after| Point {
            signal: Signal::Stop,
            after,
        });
        let begins = [(BEGINS, u64::from(who == 0).to_string())];
        let test = "two_drivers::child::drives_against_another";
        let (process, lines) = Process::start(test, folder.path(), kind, point, &begins);
        let said = said.clone();
        thread::spawn(move || {
            for line in lines {
                if said.send((who, Some(line))).is_err() {
                    return;
                }
            }
            let _ = said.send((who, None));
        });
        Self {
            process,
            stopped: None,
            has_ended: false,
        }
    }

    fn goes_on(&mut self) {
        self.stopped = None;
        self.process.signal(Signal::Continue);
    }
}

type Said = Sender<(usize, Option<String>)>;

/// Has two processes drive the run of a folder, until both have seen its end.
fn driven(folder: &Folder, kind: Kind, numbers: &mut Numbers) -> Seen {
    let (sender, said) = channel();
    let stops = [
        Some(numbers.below(POINTS)),
        (numbers.below(2) == 0).then(|| numbers.below(POINTS)),
    ];
    let mut drivers = [0, 1].map(|who| Driver::start(folder, kind, who, stops[who], &sender));
    drop(sender);
    let mut seen = Seen::default();
    loop {
        let (who, line) = match said.recv_timeout(PATIENCE) {
            Ok(said) => said,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                let mut stopped = drivers.iter_mut().filter(|driver| !driver.has_ended);
                stopped.by_ref().for_each(Driver::goes_on);
                continue;
            }
        };
        let other = 1 - who;
        match line
            .as_deref()
            .map(|line| line.split(' ').collect::<Vec<_>>())
        {
            None => {
                drivers[who].has_ended = true;
                drivers[who].stopped = None;
                drivers[other].goes_on();
            }
            Some(words) if words == ["point", "reached"] => {
                seen.stops += 1;
                drivers[who].stopped = Some(numbers.below(20));
                if drivers[other].stopped.is_some() {
                    drivers[other].goes_on();
                }
            }
            Some(words) => {
                match words[..] {
                    ["appended", token, first, entries] => {
                        let numbers = [token, first, entries].map(str::parse);
                        let [token, first, entries] = numbers.map(|it| it.expect("a number"));
                        let told = seen.appended.insert(first, (entries, token));
                        assert_eq!(told, None, "two were told that they wrote record {first}");
                    }
                    ["refused", ..] => seen.refused += 1,
                    _ => {}
                }
                match &mut drivers[other].stopped {
                    Some(0) => drivers[other].goes_on(),
                    Some(left) => *left -= 1,
                    None => {}
                }
            }
        }
    }
    for driver in &mut drivers {
        assert!(driver.process.succeeds(), "a process failed");
    }
    seen
}

/// Checks what is left when the run is over.
async fn check(folder: &Folder, store: &dyn Store, seen: &Seen) {
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
    let entries: Vec<_> = entries
        .map(|(place, text)| Entry::from_text(text, id, place).expect("is whole"))
        .collect();
    assert!(
        entries.is_sorted_by_key(|entry| entry.lease),
        "a record of a stale driver was accepted"
    );
    for (first, (count, token)) in &seen.appended {
        let written = entries.iter().filter(|entry| {
            (*first..first + count).contains(&entry.sequence) && entry.lease == *token
        });
        assert_eq!(written.count() as u64, *count, "record {first} is lost");
    }
    let records: Vec<Record> = entries.into_iter().map(|entry| entry.record).collect();
    let (run, missing) = Run::replay(&records).expect("is the log of a run");
    assert!(missing.is_empty());
    let outcome = run.outcome().expect("it is over");
    assert_eq!(
        (outcome.finish.clone(), &*outcome.text),
        (Finish::Answered, "go")
    );

    let (paid, looked) = (began(folder.path(), "pay"), began(folder.path(), "look"));
    assert!(paid.values().all(|times| *times == 1), "{paid:?}");
    assert_eq!(outcome.tool_rounds().count(), ROUNDS);
    for (round, reply) in outcome.tool_rounds().enumerate() {
        let (pay, look) = (format!("go pay {round}"), format!("go look {round}"));
        let [pay_result, look_result] = &reply.results[..] else {
            panic!("{:?}", reply.results);
        };
        if pay_result.is_error() {
            let text = pay_result.to_model_text();
            assert!(text.contains("may have taken effect"), "{text}");
        } else {
            assert_eq!(paid.get(&pay), Some(&1), "{pay}");
        }
        assert!(looked.contains_key(&look), "{look}");
        assert!(!look_result.is_error());
    }
}

async fn two_drivers(kind: Kind, seed: u64) {
    let mut numbers = Numbers(seed);
    let (tries, from) = (number(TRIES).unwrap_or(5), Instant::now());
    let (mut stops, mut refused) = (0, 0);
    for round in 0..tries {
        let folder = Folder::new(&format!("two-{}-{round}", kind.name()));
        let both = driven(&folder, kind, &mut numbers);
        check(&folder, &*kind.open(folder.path()).await, &both).await;
        stops += both.stops;
        refused += both.refused;
    }
    let name = kind.name();
    println!(
        "seed {seed}: {tries} rounds over {name}, {stops} stops, {refused} appends refused, in {:?}",
        from.elapsed()
    );
    assert!(stops as u64 >= tries / 2, "only {stops} stops");
    assert!(refused > 0 || tries < 20, "no append was refused");
}

#[tokio::test]
async fn of_two_drivers_one_is_stale_in_sqlite() {
    two_drivers(Kind::Sqlite, 43).await;
}

#[tokio::test]
#[ignore = "needs PostgreSQL: CONTRIBUTING.md"]
async fn of_two_drivers_one_is_stale_in_postgres() {
    two_drivers(Kind::Postgres, 47).await;
}
