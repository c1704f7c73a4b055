//! A response as far as it was shown.

use std::collections::BTreeMap;

use super::change::{Change, Kind, PlaceInRun};
use crate::links::with_safe_links;
use toolwright_core::{
    message::{Part, ProviderActivity},
    model::ModelEvent,
    run::CallId,
};

/// A response as far as it was shown. Its parts are those that the [`Assembler`](toolwright_core::model::Assembler)
/// makes.
#[derive(Debug, Default)]
pub(super) struct Draft {
    parts: Vec<Shown>,
    /// The place of each call among the parts, by its number.
    calls: BTreeMap<usize, usize>,
    /// The next text begins a part, also after another text.
    breaks: bool,
    /// The number of parts that were sent, whole or not. The others are held back.
    open: usize,
}

#[derive(Debug)]
struct Shown {
    what: What,
    /// The whole text so far: the arguments, if it is a call.
    text: String,
    /// The bytes of it that were sent.
    sent: usize,
    state: State,
}

#[derive(Debug, PartialEq)]
enum What {
    Text(Kind),
    Call { index: u32, name: String },
    File { media_type: Option<String> },
    Activity(Box<ProviderActivity>),
}

/// Where a response stands in its run.
#[derive(Debug, Clone, Copy)]
pub(super) struct At {
    /// The number of replies before it that are kept.
    pub(super) step: u32,
    /// The number of rounds of calls before it.
    pub(super) round: u32,
}

impl At {
    fn part(self, part: usize) -> PlaceInRun {
        let step = self.step;
        PlaceInRun { step, part }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    Unsent,
    Open,
    Closed,
}

impl Draft {
    /// The parts of a whole response, of which nothing was sent.
    pub(super) fn of_parts<'a>(parts: impl IntoIterator<Item = &'a Part>) -> Self {
        let mut draft = Self::default();
        let mut calls = 0;
        for part in parts {
            match part {
                Part::Text(text) => draft.add(What::Text(Kind::Text), text),
                Part::Reasoning(text) => draft.add(What::Text(Kind::Reasoning), text),
                Part::Call(call) => {
                    let (index, name) = (calls, call.name.clone());
                    calls += 1;
                    draft.add(What::Call { index, name }, &call.arguments);
                }
                Part::Image(_) | Part::Document(_) | Part::Audio(_) => draft.add_file(part),
                Part::Activity(activity) => draft.add(What::Activity(activity.clone()), ""),
                // No user reads an opaque part.
                _ => {}
            }
        }
        draft
    }

    /// The parts that pieces make, of which nothing was sent.
    pub(super) fn of_pieces(pieces: &[ModelEvent]) -> Self {
        let mut draft = Self::default();
        for piece in pieces {
            draft.take(piece);
        }
        draft
    }

    /// Returns true if something was sent.
    pub(super) fn is_shown(&self) -> bool {
        self.open > 0
    }

    /// Returns true if there is something that may be sent.
    pub(super) fn has_news(&self) -> bool {
        self.parts
            .get(self.open)
            .is_some_and(|part| !part.is_held())
    }

    /// The calls that were opened.
    pub(super) fn opened(&self, round: u32) -> Vec<(CallId, String)> {
        let name_of = |part: &Shown| match &part.what {
            What::Call { index, name } => {
                let index = *index;
                Some((CallId { round, index }, name.clone()))
            }
            _ => None,
        };
        self.parts[..self.open].iter().filter_map(name_of).collect()
    }

    fn add(&mut self, what: What, text: &str) {
        if text.is_empty() && matches!(what, What::Text(_)) {
            return;
        }
        self.parts.push(Shown {
            what,
            text: text.to_owned(),
            sent: 0,
            state: State::Unsent,
        });
    }

    fn add_file(&mut self, part: &Part) {
        let media_type = part.media_type().map(str::to_owned);
        let address = match part {
            Part::Image(image) => image.address(),
            Part::Document(document) => document.address(),
            Part::Audio(audio) => audio.address(),
            _ => return,
        };
        self.add(What::File { media_type }, &address);
    }

    /// Takes a piece, and gives the place of the part that it changed.
    pub(super) fn take(&mut self, piece: &ModelEvent) -> Option<usize> {
        match piece {
            ModelEvent::Text(text) | ModelEvent::Refusal(text) => self.text(Kind::Text, text),
            ModelEvent::Reasoning(text) => self.text(Kind::Reasoning, text),
            ModelEvent::CallStarted { index, name, .. } => {
                let place = self.call(*index)?;
                let is_shown = place < self.open;
                // One that has another name in the end is not what was shown.
                if let (What::Call { name: known, .. }, false) =
                    (&mut self.parts[place].what, is_shown)
                {
                    known.clone_from(name);
                }
                Some(place)
            }
            ModelEvent::CallArguments { index, text } => {
                let place = self.call(*index)?;
                self.parts[place].text.push_str(text);
                Some(place)
            }
            ModelEvent::Media(part) if part.is_media() => {
                self.add_file(part);
                Some(self.parts.len() - 1)
            }
            ModelEvent::Opaque(_) => {
                self.breaks = true;
                None
            }
            ModelEvent::Activity(activity) => {
                self.add(What::Activity(activity.clone()), "");
                Some(self.parts.len() - 1)
            }
            _ => None,
        }
    }

    fn text(&mut self, kind: Kind, text: &str) -> Option<usize> {
        if text.is_empty() {
            return None;
        }
        match self.parts.last_mut() {
            Some(last) if last.what == What::Text(kind) && !self.breaks => last.text.push_str(text),
            _ => self.add(What::Text(kind), text),
        }
        self.breaks = false;
        Some(self.parts.len() - 1)
    }

    fn call(&mut self, number: usize) -> Option<usize> {
        if let Some(place) = self.calls.get(&number) {
            return Some(*place);
        }
        let index = u32::try_from(self.calls.len()).ok()?;
        let name = String::new();
        self.add(What::Call { index, name }, "");
        self.breaks = false;
        let place = self.parts.len() - 1;
        self.calls.insert(number, place);
        Some(place)
    }

    /// Goes on as another response whose beginning was shown as this one; gives both back if it was
    /// not.
    pub(super) fn going_on_as(
        self,
        mut other: Self,
        at: At,
        out: &mut Vec<Change>,
    ) -> Result<Self, (Self, Self)> {
        let fits = self.open <= other.parts.len()
            && (self.parts[..self.open].iter().zip(&other.parts))
                .all(|(shown, part)| shown.begins(part));
        if !fits {
            return Err((self, other));
        }
        for (part, shown) in other.parts.iter_mut().zip(&self.parts[..self.open]) {
            part.state = shown.state;
            part.sent = shown.sent;
        }
        other.open = self.open;
        for place in 0..other.open {
            other.parts[place].show(at.part(place), at.round, out);
        }
        other.show(at, out);
        Ok(other)
    }

    /// Sends what a piece has brought.
    pub(super) fn show_piece(&mut self, place: usize, at: At, out: &mut Vec<Change>) {
        if place < self.open {
            self.parts[place].show(at.part(place), at.round, out);
        } else {
            self.show(at, out);
        }
    }

    /// Sends all that is not held back.
    fn show(&mut self, at: At, out: &mut Vec<Change>) {
        while self
            .parts
            .get(self.open)
            .is_some_and(|part| !part.is_held())
        {
            self.show_next(at, out);
        }
    }

    fn show_next(&mut self, at: At, out: &mut Vec<Change>) {
        let place = self.open;
        if let Some(before) = place.checked_sub(1) {
            self.parts[before].close(at.part(before), out);
        }
        self.parts[place].show(at.part(place), at.round, out);
        self.open += 1;
    }

    /// Sends everything: no name comes any more.
    pub(super) fn finish(&mut self, at: At, out: &mut Vec<Change>) {
        while self.open < self.parts.len() {
            self.show_next(at, out);
        }
        self.close(at, out);
    }

    /// Closes the text that is open.
    pub(super) fn close(&mut self, at: At, out: &mut Vec<Change>) {
        if let Some(last) = self.open.checked_sub(1) {
            self.parts[last].close(at.part(last), out);
        }
    }
}

impl Shown {
    /// A call without a name is not shown, and nothing after it: it would stand at another place.
    fn is_held(&self) -> bool {
        matches!(&self.what, What::Call { name, .. } if name.is_empty())
    }

    /// Returns true if what was sent of this part is the beginning of another one.
    fn begins(&self, other: &Self) -> bool {
        let is_whole = self.state == State::Closed;
        self.what == other.what
            && other.text.starts_with(&self.text[..self.sent])
            && (!is_whole || self.sent == other.text.len())
    }

    fn show(&mut self, place: PlaceInRun, round: u32, out: &mut Vec<Change>) {
        let is_new = self.state == State::Unsent;
        if is_new {
            self.state = State::Open;
        }
        let rest = &self.text[self.sent..];
        match &self.what {
            What::Text(kind) => {
                if is_new {
                    out.push(Change::Opened(place, *kind));
                }
                if !rest.is_empty() {
                    out.push(Change::Delta(place, *kind, rest.to_owned()));
                }
            }
            What::Call { index, name } => {
                let index = *index;
                let call = CallId { round, index };
                if is_new {
                    let name = name.clone();
                    let step = place.step;
                    out.push(Change::CallOpened { step, call, name });
                }
                if !rest.is_empty() {
                    let text = rest.to_owned();
                    out.push(Change::CallDelta { call, text });
                }
            }
            What::File { media_type } if is_new => out.push(Change::File {
                url: self.text.clone(),
                media_type: media_type.clone(),
            }),
            What::Activity(activity) if is_new => {
                let activity = Box::new(with_safe_links((**activity).clone()));
                out.push(Change::Activity { place, activity });
            }
            What::File { .. } | What::Activity(_) => {}
        }
        self.sent = self.text.len();
    }

    /// A text is whole when another part begins. A call is when its response is.
    fn close(&mut self, place: PlaceInRun, out: &mut Vec<Change>) {
        if let (What::Text(kind), State::Open) = (&self.what, self.state) {
            self.state = State::Closed;
            out.push(Change::Closed(place, *kind));
        }
    }
}
