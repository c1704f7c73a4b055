//! Events that differ from the one before in one text.
//!
//! Nearly all of a stream is such events: a chunk of a hundred or more bytes that says four characters,
//! after one that was the same apart from those. What has been read once is compared then, and only
//! the text is read.

#[cfg(test)]
mod tests;

use std::{borrow::Cow, ops::Range};

use serde_json::value::RawValue;
use toolwright_json::{
    part::place,
    string::{Text, text_of},
};
use toolwright_runtime::model::ModelEvent;

/// The one text that an event of a stream says.
///
/// A codec that gives this of an event promises: the same JSON with another text, which is not empty,
/// says that text as the same kind of [`ModelEvent`] if it comes next, and changes nothing else of the
/// response.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OneText<'a> {
    /// The text within the event.
    pub(crate) text: &'a RawValue,
    /// Values that say nothing and differ from event to event: padding, times, numbers of events.
    pub(crate) noise: [Option<&'a RawValue>; 2],
}

impl<'a> OneText<'a> {
    /// The one text among several that is there and not empty.
    pub(crate) fn of<const N: usize>(
        texts: [Option<&'a RawValue>; N],
        noise: [Option<&'a RawValue>; 2],
    ) -> Option<Self> {
        let mut texts = texts
            .into_iter()
            .flatten()
            .filter(|text| text.get() != "\"\"");
        let text = texts.next()?;
        texts.next().is_none().then_some(Self { text, noise })
    }
}

/// The last event of a stream, if it said one text.
#[derive(Debug, Default)]
pub(crate) struct Pattern {
    /// The JSON of the event without what fills its holes, and without the last brace.
    json: String,
    /// In their order.
    holes: Vec<Hole>,
    /// The kind of event that the last event made of its text; `None` if it said something else.
    told: Option<Told>,
}

/// A place where the next event may differ.
#[derive(Debug, Clone, Copy)]
struct Hole {
    /// Its place in the JSON without the holes.
    at: usize,
    filling: Filling,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Filling {
    /// The text, within its quotes.
    Text,
    /// Some other string, within its quotes.
    String,
    /// A whole number that is not negative.
    Number,
}

/// The kind of event that the text made.
#[derive(Debug, Clone, Copy)]
enum Told {
    Text,
    Reasoning,
    Refusal,
    Arguments(usize),
}

/// Longer events are not kept: what they cost is their text.
const LONGEST: usize = 4096;

impl Pattern {
    /// Reads an event that is the one before with another text; `None` for any other.
    pub(crate) fn read(&self, data: &[u8]) -> Option<ModelEvent> {
        let told = self.told?;
        let json = self.json.as_bytes();
        let (mut rest, mut from) = (data, 0);
        let mut text = None;
        for hole in &self.holes {
            rest = rest.strip_prefix(&json[from..hole.at])?;
            from = hole.at;
            let filled = match hole.filling {
                Filling::Number => number(rest)?,
                Filling::Text | Filling::String => string(rest)?,
            };
            let (filling, after) = rest.split_at(filled.length);
            // Escapes, and what is no UTF-8, are for a reader of JSON.
            let filling = std::str::from_utf8(filling).ok()?;
            match hole.filling {
                Filling::Text if filled.escaped => {
                    let start = data.len() - rest.len();
                    let quoted = data.get(start.checked_sub(1)?..=start + filled.length)?;
                    text = Some(serde_json::from_slice::<Text<'_>>(quoted).ok()?.0);
                }
                Filling::Text => text = Some(Cow::Borrowed(filling)),
                Filling::String if filled.escaped => return None,
                Filling::String | Filling::Number => {}
            }
            rest = after;
        }
        if closed(rest)? != &json[from..] {
            return None;
        }
        let text = text.filter(|text| !text.is_empty())?.into_owned();
        Some(match told {
            Told::Text => ModelEvent::Text(text),
            Told::Reasoning => ModelEvent::Reasoning(text),
            Told::Refusal => ModelEvent::Refusal(text),
            Told::Arguments(index) => ModelEvent::CallArguments { index, text },
        })
    }

    /// Forgets the last event: another kind has come.
    pub(crate) fn forget(&mut self) {
        self.told = None;
    }

    /// Keeps an event and what it told, if that is its text and nothing else.
    pub(crate) fn learn(&mut self, json: &str, one: OneText<'_>, told: &[ModelEvent]) {
        self.forget();
        let [told] = told else { return };
        let (told, text) = match told {
            ModelEvent::Text(text) => (Told::Text, text),
            ModelEvent::Reasoning(text) => (Told::Reasoning, text),
            ModelEvent::Refusal(text) => (Told::Refusal, text),
            ModelEvent::CallArguments { index, text } => (Told::Arguments(*index), text),
            _ => return,
        };
        if json.len() > LONGEST || !is_string(one.text) || text_of(one.text) != text.as_str() {
            return;
        }
        if self.keep(json, one).is_some() {
            self.told = Some(told);
        }
    }

    fn keep(&mut self, json: &str, one: OneText<'_>) -> Option<()> {
        let [first, second] = one.noise;
        // Anthropic pads events with spaces before the last brace.
        let json = json.get(..closed(json.as_bytes())?.len())?;
        let mut fillings =
            [Some(one.text), first, second].map(|value| Some((value?, value?.get())));
        fillings.sort_unstable_by_key(|value| value.map(|(_, text)| text.as_ptr().addr()));
        self.json.clear();
        self.holes.clear();
        let mut from = 0;
        for (value, text) in fillings.into_iter().flatten() {
            let Range { mut start, mut end } = place(text, json)?;
            let filling = if std::ptr::eq(value, one.text) {
                Filling::Text
            } else if is_string(value) {
                Filling::String
            } else if number(text.as_bytes()).is_some_and(|filled| filled.length == text.len()) {
                Filling::Number
            } else {
                continue;
            };
            if filling != Filling::Number {
                (start, end) = (start + 1, end - 1);
            }
            self.json.push_str(json.get(from..start)?);
            let at = self.json.len();
            self.holes.push(Hole { at, filling });
            from = end;
        }
        self.json.push_str(json.get(from..)?);
        Some(())
    }
}

/// The part of the input that fills a hole.
struct Filled {
    length: usize,
    /// There are escapes in it.
    escaped: bool,
}

/// The inside of a string, up to the quote that ends it; `None` if there is none, or a character that
/// must not stand in a string.
fn string(bytes: &[u8]) -> Option<Filled> {
    let mut length = 0;
    let mut escaped = false;
    loop {
        let rest = bytes.get(length..)?;
        let special = |byte: &u8| matches!(byte, b'"' | b'\\' | ..=0x1f);
        length += rest.iter().position(special)?;
        match bytes[length] {
            b'"' => return Some(Filled { length, escaped }),
            b'\\' => {
                escaped = true;
                length += 2;
            }
            _ => return None,
        }
    }
}

/// The digits of a whole number.
fn number(bytes: &[u8]) -> Option<Filled> {
    let length = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let escaped = false;
    match bytes {
        [b'0', ..] if length > 1 => None,
        _ => (length > 0).then_some(Filled { length, escaped }),
    }
}

/// An object without the brace that closes it, and the white space before that.
fn closed(object: &[u8]) -> Option<&[u8]> {
    let mut inside = object.strip_suffix(b"}")?;
    while let [more @ .., b' ' | b'\t' | b'\n' | b'\r'] = inside {
        inside = more;
    }
    Some(inside)
}

fn is_string(value: &RawValue) -> bool {
    value.get().starts_with('"')
}
