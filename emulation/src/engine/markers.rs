//! All markers that mean something in a text, and how they are found fast.

mod spelling;

use std::sync::LazyLock;

use crate::formats::{FORMATS, Strength};

use super::tokens::{HARMONY_HEADERS, PROMPTED, REASONING, RESULTS, TOKENS, TURNS};

/// The ends of reasoning, in the order of their beginnings.
static ENDS_OF_REASONING: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| REASONING.iter().map(|[_, end]| *end).collect());

/// What a marker stands for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// Before calls.
    Calls,
    /// The beginning of a call without a marker.
    Start,
    /// A row of `REASONING`.
    Reasoning(usize),
    EndOfReasoning,
    /// A row of `RESULTS`.
    Result(usize),
    Token,
    Close,
    Harmony,
    Observation,
    /// The beginning of another's message.
    Turn,
}

/// A marker, and its part before the byte by which it is found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Marker {
    pub(super) text: &'static str,
    pub(super) head: usize,
    pub(super) kind: Kind,
}

/// All markers.
pub(super) struct Markers {
    /// By the byte by which they are found, and the one behind it.
    by_bytes: Vec<Vec<Marker>>,
    /// What stands before such a byte.
    heads: Vec<&'static str>,
    /// True for such a byte, and the last byte of what stands before it.
    ends_of_heads: Vec<bool>,
    /// The beginnings of what stands before such a byte, by their last byte.
    begun_heads: Vec<Vec<&'static str>>,
    /// For two bytes that follow `<` or `[` in a marker, the place of what may follow them; 0 for all others.
    after_bracket: Vec<u16>,
    /// The bytes that may follow, of which none may in the first.
    fourths: Vec<[bool; 256]>,
}

/// The bytes by which markers are found. Code and values without a marker begin with the last four.
const ANCHORS: [u8; 8] = *b"<>_:`~[{";

static MARKERS: LazyLock<Markers> = LazyLock::new(|| {
    let mut markers = Markers {
        by_bytes: vec![Vec::new(); ANCHORS.len() * 256],
        heads: Vec::new(),
        ends_of_heads: vec![false; ANCHORS.len() * 256],
        begun_heads: vec![Vec::new(); 256],
        after_bracket: vec![0; 2 * 256 * 256],
        fourths: vec![[false; 256]],
    };
    for format in FORMATS {
        markers.add_all(format.open, Kind::Calls);
        markers.add_all(format.starts, Kind::Start);
    }
    markers.add_all(&TOKENS, Kind::Token);
    for format in FORMATS {
        if format.strength > Strength::Weak {
            markers.add_all(format.close, Kind::Close);
        }
    }
    for (place, [start, end]) in REASONING.iter().enumerate() {
        markers.add(start, Kind::Reasoning(place));
        if place >= PROMPTED {
            markers.add(end, Kind::EndOfReasoning);
        }
    }
    for (place, [start, _]) in RESULTS.iter().enumerate() {
        markers.add(start, Kind::Result(place));
    }
    markers.add_all(&HARMONY_HEADERS, Kind::Harmony);
    markers.add("Observation:", Kind::Observation);
    markers.add_all(&TURNS, Kind::Turn);
    markers
});

impl Markers {
    pub(super) fn all() -> &'static Self {
        &MARKERS
    }

    fn add_all(&mut self, texts: &[&'static str], kind: Kind) {
        for text in texts {
            self.add(text, kind);
        }
    }

    fn add(&mut self, text: &'static str, kind: Kind) {
        let bytes = text.as_bytes();
        let Some(head) = bytes.iter().position(|byte| ANCHORS.contains(byte)) else {
            unreachable!("every marker has such a byte: a test reads one of each format")
        };
        if head > 0 {
            let last = bytes[head - 1];
            for last in [last.to_ascii_lowercase(), last.to_ascii_uppercase()] {
                self.ends_of_heads[place(bytes[head], last)] = true;
            }
            if !self.heads.contains(&&text[..head]) {
                self.add_head(&text[..head]);
            }
        }
        let next = bytes.get(head + 1).copied().unwrap_or_default();
        // However it may be spelled: in another case, or with a bar of three bytes.
        let mut nexts = vec![next.to_ascii_lowercase(), next.to_ascii_uppercase()];
        if next == b'|' || !next.is_ascii() {
            nexts.extend([b'|', "\u{ff5c}".as_bytes()[0]]);
        }
        nexts.sort_unstable();
        nexts.dedup();
        for next in nexts {
            if matches!(bytes[head], b'<' | b'[') {
                self.add_after_bracket(&Marker { text, head, kind }, next);
            }
            let same = &mut self.by_bytes[place(bytes[head], next)];
            if !same.iter().any(|known| known.text == text) {
                same.push(Marker { text, head, kind });
            }
        }
    }

    fn add_after_bracket(&mut self, marker: &Marker, next: u8) {
        let bracket = marker.text.as_bytes()[marker.head];
        for third in (0..=u8::MAX).filter(|third| marker.may_have(Some(*third))) {
            let place = &mut self.after_bracket[pair(bracket, next, third)];
            if *place == 0 {
                *place = u16::try_from(self.fourths.len()).expect("few bytes follow");
                self.fourths.push([false; 256]);
            }
            let fourths = &mut self.fourths[usize::from(*place)];
            for byte in 0..=u8::MAX {
                fourths[usize::from(byte)] |= marker.may_have_fourth(byte);
            }
        }
    }

    fn add_head(&mut self, head: &'static str) {
        self.heads.push(head);
        for (at, byte) in head.bytes().enumerate() {
            let mut cases = vec![byte.to_ascii_lowercase(), byte.to_ascii_uppercase()];
            cases.dedup();
            for byte in cases {
                self.begun_heads[usize::from(byte)].push(&head[..=at]);
            }
        }
    }

    /// All of them.
    #[cfg(test)]
    pub(super) fn iter(&self) -> impl Iterator<Item = &Marker> {
        self.by_bytes.iter().flatten()
    }

    /// Returns true if the part of a marker before the byte by which it is found may end here.
    pub(super) fn ends_head(&self, text: &[u8], at: usize) -> bool {
        at > 0 && self.ends_of_heads[place(text[at], text[at - 1])]
    }

    /// Returns true if the bytes that follow a `<` or a `[` at the beginning of a text may belong to a marker.
    pub(super) fn follows_bracket(&self, text: &[u8]) -> bool {
        let [bracket, next, third, ..] = *text else {
            return true;
        };
        let place = self.after_bracket[pair(bracket, next, third)];
        let fourth = text.get(3);
        place > 0
            && fourth.is_none_or(|fourth| self.fourths[usize::from(place)][usize::from(*fourth)])
    }

    /// The markers that may stand around a byte; only those that end with it, if the text does.
    pub(super) fn around(&self, text: &[u8], at: usize) -> impl Iterator<Item = &Marker> {
        let next = text.get(at + 1).copied().unwrap_or_default();
        let ended = if next == 0 {
            &[][..]
        } else {
            &self.by_bytes[place(text[at], 0)]
        };
        let third = text.get(at + 2).copied();
        let all = self.by_bytes[place(text[at], next)].iter().chain(ended);
        all.filter(move |marker| marker.may_have(third))
    }
}

/// The place of markers by two bytes.
fn place(anchor: u8, next: u8) -> usize {
    PLACES[usize::from(anchor)] * 256 + usize::from(next)
}

/// The places of the anchors among themselves.
static PLACES: [usize; 256] = {
    let mut places = [0; 256];
    let mut place = 0;
    while place < ANCHORS.len() {
        places[ANCHORS[place] as usize] = place;
        place += 1;
    }
    places
};

/// The place of two bytes behind a bracket.
fn pair(bracket: u8, next: u8, third: u8) -> usize {
    let place = usize::from(bracket == b'[');
    (place * 256 + usize::from(next)) * 256 + usize::from(third)
}

/// The markers that may stand around a byte that was found.
pub(super) fn around(text: &[u8], at: usize) -> impl Iterator<Item = &'static Marker> {
    MARKERS.around(text, at)
}

impl Marker {
    /// Returns true for a marker that means nothing within a line.
    pub(super) fn needs_line_start(&self) -> bool {
        match self.kind {
            Kind::Reasoning(_) => !is_token(self.text),
            Kind::Observation | Kind::Result(_) => true,
            Kind::Calls | Kind::Token => matches!(self.text, "Action:" | ">>>" | ">>>all\n"),
            Kind::Start | Kind::EndOfReasoning | Kind::Close | Kind::Harmony | Kind::Turn => false,
        }
    }

    /// Returns true for a marker that is one within a line too, if the line ends with it.
    pub(super) fn may_end_line(&self) -> bool {
        matches!(self.kind, Kind::Reasoning(place) if place >= PROMPTED)
    }
}

/// Returns true for a marker that no sentence has.
fn is_token(marker: &str) -> bool {
    !marker.starts_with('<') || marker.starts_with("<|")
}

/// The number of bytes at the end of a text that may be the start of a marker.
pub(super) fn held(text: &str) -> usize {
    let Some(last) = text.as_bytes().last() else {
        return 0;
    };
    let starts = MARKERS.begun_heads[usize::from(*last)].iter();
    let is_end = |start: &&&str| {
        let end = text.len().checked_sub(start.len());
        end.is_some_and(|end| text.as_bytes()[end..].eq_ignore_ascii_case(start.as_bytes()))
    };
    let starts = starts.filter(is_end).map(|start| start.len());
    starts.max().unwrap_or_default()
}

/// The markers before calls that stand in no other text.
pub(super) fn strong() -> &'static [&'static str] {
    static STRONG: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        let formats = FORMATS.iter();
        let strong = formats.filter(|format| format.strength > Strength::Weak);
        let mut all: Vec<_> = strong.flat_map(|format| format.open).copied().collect();
        all.dedup();
        all
    });
    &STRONG
}

/// The markers that end the search for the end of a broken call.
pub(super) fn interrupts() -> &'static [&'static str] {
    static INTERRUPTS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        let mut all = strong().to_vec();
        all.extend(ENDS_OF_REASONING.iter());
        all.dedup();
        all
    });
    &INTERRUPTS
}

/// Returns true for a row of reasoning that a prompt asks for.
pub(super) fn is_prompted(place: usize) -> bool {
    place < PROMPTED
}

/// The end of results.
pub(super) fn end_of_results(place: usize) -> &'static str {
    RESULTS[place][1]
}

/// The ends of reasoning, for a text that begins with it.
pub(super) fn ends_of_reasoning() -> &'static [&'static str] {
    &ENDS_OF_REASONING
}
