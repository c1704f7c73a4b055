//! The message of a reply, put together without the codec. Its calls are those that the independent
//! reader found.

use serde_json::{Map, Value, json};

use crate::record::{ExpectedCall, Record};

/// The message as it goes back, if anything of it can.
pub(super) fn messages(record: &Record) -> Vec<Value> {
    let mut came = Message::default();
    if record.kind == "json" {
        let body: Value = serde_json::from_str(&record.response.body).expect("is JSON");
        came.add(&body["choices"][0]["message"]);
    } else {
        let data = record.response.body.lines();
        let data = data.filter_map(|line| line.strip_prefix("data:"));
        for chunk in data.filter_map(|data| serde_json::from_str::<Value>(data).ok()) {
            let choices = chunk["choices"].as_array().into_iter().flatten();
            for choice in choices.filter(|choice| choice["index"].as_u64().unwrap_or(0) == 0) {
                came.add(&choice["delta"]);
            }
        }
    }
    came.going_back(record).into_iter().collect()
}

#[derive(Default)]
struct Message {
    text: String,
    /// What was refused goes back as what the model said.
    refusal: String,
    /// The content, where it is a list: the words of each thought and each text.
    parts: Vec<(&'static str, String)>,
    /// Reasoning and signatures, under the names they came in.
    fields: Map<String, Value>,
    details: Vec<Value>,
}

impl Message {
    fn add(&mut self, more: &Value) {
        match &more["content"] {
            Value::Array(parts) => parts.iter().for_each(|part| self.add_part(part)),
            // Its text is taken from the body, as it stands there.
            Value::Object(_) => {}
            content if self.parts.is_empty() => self.text += content.as_str().unwrap_or_default(),
            content => self.add_words("text", content.as_str().unwrap_or_default()),
        }
        self.refusal += more["refusal"].as_str().unwrap_or_default();
        // Who fills both fills them with the same.
        for name in ["reasoning_content", "reasoning"] {
            let words = more[name].as_str().filter(|words| !words.is_empty());
            if let Some(words) = words {
                let said = self.fields.entry(name).or_insert_with(|| "".into());
                *said = (said.as_str().unwrap_or_default().to_owned() + words).into();
            }
        }
        for name in ["extra_content", "thought_signature"] {
            if let Some(value) = more.get(name) {
                self.fields.insert(name.to_owned(), value.clone());
            }
        }
        for detail in more["reasoning_details"].as_array().into_iter().flatten() {
            self.add_detail(detail);
        }
    }

    fn add_part(&mut self, part: &Value) {
        if part["type"] == "text" {
            return self.add_words("text", part["text"].as_str().unwrap_or_default());
        }
        for piece in part["thinking"].as_array().expect("was recorded so") {
            self.add_words("thinking", piece["text"].as_str().unwrap_or_default());
        }
    }

    fn add_words(&mut self, kind: &'static str, words: &str) {
        match self.parts.last_mut() {
            Some((last, said)) if *last == kind => said.push_str(words),
            _ if words.is_empty() => {}
            _ => self.parts.push((kind, words.to_owned())),
        }
    }

    /// A stream cuts words anywhere.
    fn add_detail(&mut self, detail: &Value) {
        if let Some(last) = self.details.last_mut()
            && detail["type"] == "reasoning.text"
            && (&last["type"], &last["index"]) == (&detail["type"], &detail["index"])
        {
            let words = last["text"].as_str().unwrap_or_default().to_owned();
            last["text"] = (words + detail["text"].as_str().unwrap_or_default()).into();
            if !detail["signature"].is_null() {
                last["signature"] = detail["signature"].clone();
            }
            return;
        }
        self.details.push(detail.clone());
    }

    fn going_back(mut self, record: &Record) -> Option<Value> {
        let calls = &record.expected.tool_calls;
        if self.text.is_empty() && record.expected.text.starts_with('{') {
            self.text = object_in(&record.response.body);
        }
        if !self.details.is_empty() {
            // They hold the words already.
            let words = ["reasoning_content", "reasoning"];
            self.fields.retain(|name, _| !words.contains(&&**name));
            let details = std::mem::take(&mut self.details);
            self.fields
                .insert("reasoning_details".into(), details.into());
        }
        let text = if self.text.is_empty() {
            self.refusal
        } else {
            self.text
        };
        let is_nothing = text.is_empty() && self.parts.is_empty() && calls.is_empty();
        if is_nothing && self.fields.is_empty() {
            return None;
        }
        let parts = self.parts.iter().map(|(kind, words)| match *kind {
            "thinking" => json!({"type": kind, "thinking": [{"type": "text", "text": words}]}),
            _ => json!({"type": kind, "text": words}),
        });
        let content = match parts.collect::<Vec<_>>() {
            parts if !parts.is_empty() => parts.into(),
            _ if text.is_empty() && !is_nothing => Value::Null,
            _ => text.into(),
        };
        let mut message = self.fields;
        message.insert("role".into(), "assistant".into());
        message.insert("content".into(), content);
        if !calls.is_empty() {
            let calls = calls.iter().enumerate();
            let call = |(place, call)| call_of(place, call, &record.vendor);
            let calls: Vec<_> = calls.map(call).collect();
            message.insert("tool_calls".into(), calls.into());
        }
        Some(message.into())
    }
}

/// The text of a content that is an object.
fn object_in(body: &str) -> String {
    let start = body.find("\"content\":").expect("there is one") + "\"content\":".len();
    let mut objects = serde_json::Deserializer::from_str(&body[start..]).into_iter::<Value>();
    objects.next();
    body[start..start + objects.byte_offset()].trim().to_owned()
}

fn call_of(place: usize, call: &ExpectedCall, vendor: &str) -> Value {
    // One that has no id, or one that Mistral does not take, gets that of its place.
    let is_taken = |id: &&str| !id.is_empty() && (vendor != "mistral" || id.len() == 9);
    let id = call.id.as_deref().filter(is_taken);
    let id = id.map_or_else(|| format!("call{place:05}"), str::to_owned);
    let arguments = call.arguments_raw.as_deref();
    let arguments = arguments.filter(|text| !text.is_empty()).unwrap_or("{}");
    let function = json!({"name": call.name, "arguments": arguments});
    json!({"id": id, "type": "function", "function": function})
}
