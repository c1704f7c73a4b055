//! A client that reads one chat, as a page does.

use std::{collections::BTreeMap, net::SocketAddr};

use serde_json::{Value, json};

use crate::{
    assembled::{Assembled, Step},
    connection::{Answer, ask, events},
};

/// A client that reads one chat.
pub(crate) struct Reader {
    chat: String,
    /// It reads plain events with ids, and says which one it has. Else it reads the message anew each time.
    is_plain: bool,
    /// The server has said that there is a run.
    has_begun: bool,
    /// The run, once it is known.
    run: Option<String>,
    events: Vec<(Option<u64>, Value)>,
}

impl Reader {
    pub(crate) fn new(chat: &str, is_plain: bool) -> Self {
        Self {
            chat: chat.to_owned(),
            is_plain,
            has_begun: false,
            run: None,
            events: Vec::new(),
        }
    }

    pub(crate) fn form(&self) -> &'static str {
        if self.is_plain {
            "plain events"
        } else {
            "a message"
        }
    }

    /// Reads so many bytes of an answer. It gives true at the end of the run.
    pub(crate) async fn read(&mut self, server: SocketAddr, bytes: Option<u64>) -> bool {
        let plain = if self.is_plain { "?format=plain" } else { "" };
        let id = self.chat.replace(' ', "%20");
        let answer = if !self.has_begun {
            let message = json!({
                "id": "question",
                "role": "user",
                "parts": [{"type": "text", "text": format!("What is {}?", self.chat)}],
            });
            let body = json!({"id": self.chat, "messages": [message], "trigger": "submit-message"});
            let line = format!("POST /chat{plain}");
            ask(server, &line, &[], &body.to_string(), bytes).await
        } else if let (true, Some(run)) = (self.is_plain, &self.run) {
            let line = format!("GET /runs/{run}/events");
            let last = self.last().map(|last| last.to_string());
            let headers: Vec<_> = last
                .iter()
                .map(|last| ("last-event-id", last.as_str()))
                .collect();
            ask(server, &line, &headers, "", bytes).await
        } else {
            let line = format!("GET /chat/{id}/stream{plain}");
            ask(server, &line, &[], "", bytes).await
        };
        self.take(&answer)
    }

    /// The last id that it has.
    fn last(&self) -> Option<u64> {
        self.events.iter().rev().find_map(|(id, _)| *id)
    }

    fn take(&mut self, answer: &Answer) -> bool {
        match answer.status {
            None => return false,
            Some(200) => self.has_begun = true,
            // The server was killed before the run was stored, or another request is about to begin it.
            Some(204) if self.has_begun => {
                panic!("{}: a run that was there is gone", self.chat)
            }
            Some(status) => panic!("{}: {status}: {}", self.chat, answer.body),
        }
        if self.is_plain && self.run.is_some() {
            // What came after the last id may be void.
            let known = self.events.iter().rposition(|(id, _)| id.is_some());
            self.events.truncate(known.map_or(0, |last| last + 1));
        } else {
            self.events.clear();
        }
        let came = events(&answer.body);
        let is_done = came.last().is_some_and(|(_, data)| data == "[DONE]");
        for (id, data) in came.into_iter().filter(|(_, data)| data != "[DONE]") {
            let data: Value = serde_json::from_str(&data).expect("it is JSON");
            if let Some(run) = data["run_id"].as_str() {
                self.run = Some(run.to_owned());
            }
            assert_ne!(data["type"], "error", "{}: {data}", self.chat);
            self.events.push((id, data));
        }
        let last = self.events.last().map(|(_, data)| data["type"].as_str());
        if self.is_plain {
            answer.is_whole && last == Some(Some("done"))
        } else {
            if is_done {
                assert_eq!(last, Some(Some("finish")), "{}", self.chat);
            }
            is_done
        }
    }

    /// What it has in the end.
    pub(crate) fn assembled(&self) -> Assembled {
        if self.is_plain {
            self.of_plain()
        } else {
            self.of_message()
        }
    }

    fn of_plain(&self) -> Assembled {
        let ids: Vec<_> = self.events.iter().filter_map(|(id, _)| *id).collect();
        let expected: Vec<_> = (0..ids.len() as u64).collect();
        assert_eq!(ids, expected, "{}: each record once, in order", self.chat);
        let mut steps: BTreeMap<u64, Step> = BTreeMap::new();
        let mut calls = BTreeMap::new();
        for (_, event) in &self.events {
            let step = event["step"].as_u64().unwrap_or_default();
            let text = event["text"].as_str().unwrap_or_default();
            match event["type"].as_str().expect("it has a type") {
                "text" => steps.entry(step).or_default().text += text,
                "reasoning" => steps.entry(step).or_default().reasoning += text,
                "reset" => drop(steps.remove(&step)),
                "tool_call" => {
                    let call = (
                        event["name"].clone(),
                        event["arguments"].clone(),
                        Value::Null,
                    );
                    calls.insert(place(event), call);
                }
                "tool_result" => {
                    let result = event.get("output").or_else(|| event.get("error"));
                    let call = calls.get_mut(&place(event)).expect("it was called");
                    assert_eq!(call.2, Value::Null, "{}: one result", self.chat);
                    call.2 = result.expect("it has one").clone();
                }
                _ => {}
            }
        }
        // Each reply but the last has calls, so the round is the step.
        for ((round, _), (name, arguments, result)) in calls {
            let name = name.as_str().expect("it has a name").to_owned();
            let step = steps.entry(round).or_default();
            step.calls.push((name, arguments, result));
        }
        Assembled {
            steps: steps.into_values().collect(),
        }
    }

    fn of_message(&self) -> Assembled {
        let mut steps: Vec<(Step, bool)> = Vec::new();
        let mut places: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (number, (_, chunk)) in self.events.iter().enumerate() {
            let kind = chunk["type"].as_str().expect("it has a type");
            assert_eq!(kind == "start", number == 0, "{}: one start", self.chat);
            if kind == "start-step" {
                steps.push((Step::default(), false));
            }
            let delta = chunk["delta"].as_str().unwrap_or_default();
            let id = chunk["toolCallId"].as_str().unwrap_or_default();
            let last = steps.len().checked_sub(1);
            match (kind, last) {
                ("text-delta", Some(last)) => steps[last].0.text += delta,
                ("reasoning-delta", Some(last)) => steps[last].0.reasoning += delta,
                ("data-void", Some(last)) => steps[last].1 = true,
                ("tool-input-available", Some(last)) => {
                    let name = chunk["toolName"].as_str().expect("it has a name");
                    let calls = &mut steps[last].0.calls;
                    places.insert(id, (last, calls.len()));
                    calls.push((name.to_owned(), chunk["input"].clone(), Value::Null));
                }
                ("tool-output-available", _) if chunk.get("preliminary").is_none() => {
                    let (step, call) = places[id];
                    steps[step].0.calls[call].2 = chunk["output"].clone();
                }
                ("tool-output-error", _) => {
                    let (step, call) = places[id];
                    steps[step].0.calls[call].2 = chunk["errorText"].clone();
                }
                _ => {}
            }
        }
        let kept = steps.into_iter().filter(|(_, is_void)| !is_void);
        Assembled {
            steps: kept.map(|(step, _)| step).collect(),
        }
    }
}

/// The round and the index of a call.
fn place(event: &Value) -> (u64, u64) {
    let call = event["call"].as_str().expect("it names a call");
    let (round, index) = call.split_once('.').expect("it is a round and an index");
    let number = |text: &str| text.parse().expect("it is a number");
    (number(round), number(index))
}
