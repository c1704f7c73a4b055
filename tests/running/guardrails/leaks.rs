//! Nothing that a check of answers refuses, or cannot see, comes to anybody.

use std::collections::BTreeMap;

use super::{
    readers::{self, Got},
    scripts::{self, Around, Script},
};

/// Those who have got something of the secret of a script.
fn told<'g>(script: &Script, got: &'g [Got]) -> Vec<&'g str> {
    let needles = script.secret.needles();
    let told = got
        .iter()
        .filter(|(_, text)| needles.iter().any(|needle| text.contains(needle)));
    told.map(|(reader, _)| reader.as_str()).collect()
}

#[tokio::test(start_paused = true)]
async fn what_a_check_refuses_or_cannot_see_is_nowhere() {
    let scripts = scripts::all();
    assert!(scripts.len() >= 200, "only {} scripts", scripts.len());
    let mut leaks = BTreeMap::new();
    for script in &scripts {
        let mut got = readers::all_of(script, true).await;
        if script.around == Around::EmulationInside {
            // They may show a model its own decision again before there is a response to check.
            got.retain(|(reader, _)| !reader.starts_with("requests"));
        }
        let told = told(script, &got);
        if !told.is_empty() {
            leaks.insert(&script.name, told.join(", "));
        }
    }
    assert!(
        leaks.is_empty(),
        "{} of {} scripts: {leaks:#?}",
        leaks.len(),
        scripts.len()
    );
}

/// Otherwise the test above could not fail.
#[tokio::test(start_paused = true)]
async fn without_the_check_each_of_it_is_somewhere() {
    for script in scripts::all().iter().filter(|script| script.is_told) {
        let got = readers::all_of(script, false).await;
        assert!(!told(script, &got).is_empty(), "{} is nowhere", script.name);
    }
}
