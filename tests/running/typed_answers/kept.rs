//! Logs of runs with typed answers: replayed, stored, cut off anywhere, and gone on with.

use toolwright::{
    Runner,
    run::{Record, Run, StoredRun},
    runner::RunEvent,
    toolset,
};

use super::*;

/// The replies of a run that is corrected twice, and what it is asked by.
fn scripts() -> [(ScriptedModel, usize); 2] {
    let rain = || call("get_rain", r#"{"city": "Oslo"}"#);
    [
        (
            by_schema([rain(), text(TOO_MUCH), text("no"), text(OSLO)]),
            4,
        ),
        (
            by_tool([rain(), given(TOO_MUCH), text("no"), given(OSLO)]),
            4,
        ),
    ]
}

fn runner_of(model: ScriptedModel) -> Runner {
    let runner = Runner::builder(model).tools(toolset![get_rain]);
    runner.build().expect("is whole")
}

async fn log(model: ScriptedModel) -> Vec<Record> {
    let mut handle = runner_of(model)
        .request("Rain?")
        .answer_as::<Weather>()
        .start();
    let mut log = Vec::new();
    while let Some(event) = handle.next().await {
        if let RunEvent::Recorded { record, .. } = event {
            log.push(record);
        }
    }
    assert_eq!(handle.answer().await.expect("fits").value, oslo());
    log
}

#[tokio::test]
async fn a_log_is_the_run() {
    for (model, _) in scripts() {
        let log = log(model).await;
        let (run, missing) = Run::replay(&log).expect("is one");
        assert_eq!(
            (run.outcome().expect("is over").text.as_str(), missing),
            (OSLO, vec![])
        );
        let stored = serde_json::to_string(&log).expect("is JSON");
        let read: Vec<Record> = serde_json::from_str(&stored).expect("is a log");
        assert_eq!(read, log);
        let unfit = stored.matches("\"unfit\"").count();
        assert!((1..=2).contains(&unfit), "{unfit}");
    }
}

#[tokio::test]
async fn a_run_that_breaks_off_anywhere_comes_to_the_same_answer() {
    for place in 0..2 {
        let log = log(scripts()[place].0.clone()).await;
        for end in 1..log.len() {
            let so_far = &log[..end];
            let said = |record: &&Record| matches!(record, Record::Replied { .. });
            let replies = so_far.iter().filter(said).count();
            let script: Vec<_> = log
                .iter()
                .filter_map(|record| match record {
                    Record::Replied { response, .. } => Some(response.clone()),
                    _ => None,
                })
                .skip(replies)
                .collect();
            let model = match place {
                0 => by_schema(script),
                _ => by_tool(script),
            };
            let stored = StoredRun::from_records(so_far.to_vec()).expect("begins as one");
            let stored = serde_json::to_string(&stored).expect("is JSON");
            let stored: StoredRun = serde_json::from_str(&stored).expect("is a run");
            let handle = runner_of(model)
                .resume(stored)
                .answer_as::<Weather>()
                .start()
                .await;
            let answer = match handle {
                Ok(handle) => handle.answer().await.expect("fits"),
                Err(error) => panic!("{end}: {error}"),
            };
            assert_eq!(
                (answer.value, answer.outcome.corrections),
                (oslo(), 2),
                "{end}"
            );
        }
    }
}

#[tokio::test]
async fn without_its_type_an_answer_is_checked_by_the_schema_in_the_log() {
    let wrong = |text: fn(&str) -> ModelResponse| vec![text(TOO_MUCH), text("{}"), text(OSLO)];
    let rain = "arguments.rain: expected an integer from 0 to 100, got 120";
    for (model, means) in [(by_schema(wrong(text)), 0), (by_tool(wrong(given)), 1)] {
        let log = log(scripts()[means].0.clone()).await;
        let stored = StoredRun::from_records(log[..1].to_vec()).expect("begins as one");
        let handle = runner_of(model.clone()).resume(stored).start().await;
        let outcome = handle.expect("goes on").outcome().await.expect("answers");
        assert_eq!((outcome.text.as_str(), outcome.corrections), (OSLO, 2));
        let why = &outcome.warnings[0].message;
        assert!(why.contains(rain.trim_start_matches("arguments.")), "{why}");
    }
    // What stands around it is passed over, and a limit of corrections holds.
    for (said, fits) in [
        (format!("It is {OSLO}."), true),
        ("{'city': 'Oslo', 'rain': 80}".to_owned(), true),
        ("It rains.".to_owned(), false),
    ] {
        let log = log(scripts()[0].0.clone()).await;
        let stored = StoredRun::from_records(log[..1].to_vec()).expect("begins as one");
        let model = by_schema([(); 3].map(|()| text(&said)));
        let handle = runner_of(model)
            .resume(stored)
            .start()
            .await
            .expect("goes on");
        let outcome = handle.outcome().await;
        assert_eq!(outcome.is_ok(), fits, "{said}");
        let corrections =
            outcome.map_or_else(|error| error.outcome.corrections, |it| it.corrections);
        assert_eq!(corrections, if fits { 0 } else { 2 }, "{said}");
    }
}

mod in_a_store {
    use toolwright::store::MemoryStore;

    use super::*;

    #[tokio::test]
    async fn a_driver_that_dies_is_followed_by_another() {
        let store = MemoryStore::new();
        let of = |model: ScriptedModel| {
            let runner = Runner::builder(model).tools(toolset![get_rain]);
            let runner = runner
                .store("tests", store.clone())
                .lease_time(std::time::Duration::ZERO);
            runner.build().expect("is whole")
        };
        let first = of(by_tool([given(TOO_MUCH), given(OSLO)]));
        let mut handle = first.request("Rain?").answer_as::<Weather>().start();
        let id = handle.id().clone();
        while let Some(event) = handle.next().await {
            if matches!(
                &event,
                RunEvent::Recorded {
                    record: Record::CallFinished { .. },
                    ..
                }
            ) {
                break;
            }
        }
        drop(handle);
        let second = of(by_tool([given("{}"), given(OSLO)]));
        let handle = second
            .resume(&id)
            .answer_as::<Weather>()
            .start()
            .await
            .expect("nobody drives it");
        let answer = handle.answer().await.expect("fits");
        assert_eq!((answer.value, answer.outcome.corrections), (oslo(), 2));
    }

    #[tokio::test]
    async fn one_that_is_recovered_is_checked_as_well() {
        let store = MemoryStore::new();
        let of = |model: ScriptedModel| {
            let runner = Runner::builder(model).store("tests", store.clone());
            let runner = runner.lease_time(std::time::Duration::ZERO);
            runner.build().expect("is whole")
        };
        let mut handle = of(by_schema([text(OSLO)]))
            .request("Rain?")
            .answer_as::<Weather>()
            .start();
        let id = handle.id().clone();
        handle.next().await;
        drop(handle);
        let second = of(by_schema([text(TOO_MUCH), text(OSLO)]));
        let recovered = second.recover().await.expect("the store answers");
        let mut outcomes = Vec::new();
        for run in recovered {
            let handle = run.handle.expect("goes on");
            outcomes.push(handle.outcome().await.expect("answers"));
        }
        let [outcome] = &outcomes[..] else {
            panic!("{id} goes on")
        };
        assert_eq!((outcome.text.as_str(), outcome.corrections), (OSLO, 1));
    }

    /// A place whose schema takes any name, and its own code only one that there is.
    #[derive(Debug, PartialEq, ToolInput)]
    struct Place {
        city: String,
    }

    impl<'de> Deserialize<'de> for Place {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            #[derive(Deserialize)]
            struct Named {
                city: String,
            }
            let Named { city } = Named::deserialize(deserializer)?;
            if city == "Atlantis" {
                return Err(serde::de::Error::custom("there is no such place"));
            }
            Ok(Self { city })
        }
    }

    #[tokio::test]
    async fn a_type_that_the_runner_knows_checks_what_is_recovered() {
        let (no_place, place) = (r#"{"city": "Atlantis"}"#, r#"{"city": "Oslo"}"#);
        for is_known in [true, false] {
            let store = MemoryStore::new();
            let of = |model: ScriptedModel| {
                let runner = Runner::builder(model).store("tests", store.clone());
                let runner = runner.lease_time(std::time::Duration::ZERO);
                runner.build().expect("is whole")
            };
            let first = of(by_schema([text(place)]));
            let mut handle = first.request("Where?").answer_as::<Place>().start();
            handle.next().await;
            drop(handle);
            let second = of(by_schema([text(no_place), text(place)]));
            // Another type is not taken for it.
            let second = second.with_answer_type::<Weather>();
            let second = if is_known {
                second.with_answer_type::<Place>()
            } else {
                second
            };
            let mut recovered = second.recover().await.expect("the store answers");
            let handle = recovered.remove(0).handle.expect("goes on");
            let outcome = handle.outcome().await.expect("answers");
            let expected = if is_known { (place, 1) } else { (no_place, 0) };
            assert_eq!((outcome.text.as_str(), outcome.corrections), expected);
        }
    }
}
