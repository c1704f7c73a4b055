use std::borrow::Cow;

use toolwright_core::model::{ModelEvent, ModelResponse};

use super::{CallDelta, PartialCalls};

fn delta(
    index: impl Into<Option<u64>>,
    id: &'static str,
    name: &'static str,
    arguments: &'static str,
) -> CallDelta<'static> {
    CallDelta {
        index: index.into(),
        id: Cow::Borrowed(id),
        name: Cow::Borrowed(name),
        arguments: Cow::Borrowed(arguments),
    }
}

/// The calls that the pieces make, as id, name and arguments.
fn check<const N: usize>(deltas: [CallDelta<'static>; N], expected: &[(&str, &str, &str)]) {
    let mut events = Vec::new();
    let mut calls = PartialCalls::new();
    for delta in deltas {
        calls.push(delta, &mut events);
    }
    calls.finish(&mut events);
    let response: ModelResponse = events.into_iter().collect();
    let made: Vec<_> = response
        .tool_calls
        .iter()
        .map(|call| (&*call.id, &*call.name, &*call.arguments))
        .collect();
    assert_eq!(made, expected);
}

#[test]
fn pieces_of_one_index_belong_together() {
    check(
        [
            delta(0, "a", "look", ""),
            delta(1, "b", "go", ""),
            delta(0, "", "", "{\"x\""),
            delta(1, "", "", "{}"),
            delta(0, "", "", ":1}"),
        ],
        &[("a", "look", "{\"x\":1}"), ("b", "go", "{}")],
    );
}

#[test]
fn an_index_is_a_key() {
    check([delta(7, "a", "look", "{}")], &[("a", "look", "{}")]);
}

#[test]
fn without_an_index_an_id_starts_a_call() {
    check(
        [
            delta(None, "a", "look", "{"),
            delta(None, "", "", "}"),
            delta(None, "b", "look", "{}"),
        ],
        &[("a", "look", "{}"), ("b", "look", "{}")],
    );
}

#[test]
fn without_index_and_id_a_whole_call_is_followed_by_the_next() {
    check(
        [
            delta(None, "", "look", "{\"x\":\"}\"}"),
            delta(None, "", "look", "{}"),
        ],
        &[("", "look", "{\"x\":\"}\"}"), ("", "look", "{}")],
    );
    check(
        [delta(0, "", "look", "{}"), delta(0, "", "go", "{}")],
        &[("", "look", "{}"), ("", "go", "{}")],
    );
}

#[test]
fn id_and_name_that_come_again_change_nothing() {
    check(
        [
            delta(0, "0", "look", ""),
            delta(0, "0", "look", "{"),
            delta(0, "", "", "}"),
        ],
        &[("0", "look", "{}")],
    );
    check(
        [delta(None, "0", "look", "{"), delta(None, "0", "look", "}")],
        &[("0", "look", "{}")],
    );
}

#[test]
fn another_id_and_name_on_one_index_is_another_call() {
    check(
        [
            delta(0, "a", "look", "{}"),
            delta(0, "b", "look", "{"),
            delta(0, "", "", "}"),
        ],
        &[("a", "look", "{}"), ("b", "look", "{}")],
    );
}

#[test]
fn a_name_may_come_late_or_never() {
    check(
        [delta(0, "a", "", "{"), delta(0, "", "look", "}")],
        &[("a", "look", "{}")],
    );
    check([delta(0, "a", "", "{}")], &[("a", "", "{}")]);
    check([delta(None, "", "", "{}")], &[("", "", "{}")]);
}

#[test]
fn an_id_may_come_late() {
    check(
        [delta(0, "", "look", "{"), delta(0, "a", "", "}")],
        &[("a", "look", "{}")],
    );
}

#[test]
fn a_call_is_announced_once() {
    let mut events = Vec::new();
    let mut calls = PartialCalls::new();
    calls.push(delta(0, "a", "look", ""), &mut events);
    calls.push(delta(0, "a", "look", "{}"), &mut events);
    calls.finish(&mut events);
    let announced = events
        .iter()
        .filter(|event| matches!(event, ModelEvent::CallStarted { .. }));
    assert_eq!(announced.count(), 1);
}

#[test]
fn whole_calls_are_never_joined() {
    let mut events = Vec::new();
    let mut calls = PartialCalls::new();
    calls.push_whole(delta(0, "a", "look", "{}"), &mut events);
    calls.push_whole(delta(0, "a", "look", "{}"), &mut events);
    calls.push_whole(delta(None, "", "", ""), &mut events);
    assert_eq!(
        events
            .into_iter()
            .collect::<ModelResponse>()
            .tool_calls
            .len(),
        3
    );
}
