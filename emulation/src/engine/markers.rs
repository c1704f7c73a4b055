//! All markers that mean something in a text, and how they are found fast.

use std::sync::LazyLock;

use crate::formats::{FORMATS, Strength};

/// The markers around reasoning. The source of each stands beside it.
const REASONING: [[&str; 2]; 13] = [
    // Prompts that ask for it.
    ["<thinking>", "</thinking>"],
    ["<thought>", "</thought>"],
    ["<reasoning>", "</reasoning>"],
    ["<reflection>", "</reflection>"],
    // NousResearch/Hermes-3-Llama-3.1-8B.
    ["<scratch_pad>", "</scratch_pad>"],
    // Chat templates of Qwen/Qwen3-8B, deepseek-ai/DeepSeek-R1 and many others.
    ["<think>", "</think>"],
    // ByteDance-Seed/Seed-OSS-36B-Instruct.
    ["<seed:think>", "</seed:think>"],
    // meituan-longcat/LongCat-Flash-Thinking.
    ["<longcat_think>", "</longcat_think>"],
    // mistralai/Magistral-Small-2509.
    ["[THINK]", "[/THINK]"],
    // CohereLabs/command-a-reasoning-08-2025.
    ["<|START_THINKING|>", "<|END_THINKING|>"],
    // openbmb/MiniCPM3-4B.
    ["<|thought_start|>", "<|thought_end|>"],
    // swiss-ai/Apertus-8B-Instruct-2509.
    ["<|inner_prefix|>", "<|inner_suffix|>"],
    // google/gemma-4-E4B-it.
    ["<|channel>thought", "<channel|>"],
];

/// The number of rows of `REASONING` that prompts ask for. Answers have such tags too: they mark reasoning only before
/// all text, and no template writes the first of the two.
const PROMPTED: usize = 5;

/// The markers around the results of calls, which models repeat or make up. What stands between them is no call. Of
/// chat templates in `examples/` of vllm-project/vllm and `models/templates/` of ggml-org/llama.cpp.
const RESULTS: [[&str; 2]; 9] = [
    // tool_chat_template_hermes.jinja, and those of Qwen, GLM, Hunyuan and Nemotron.
    ["<tool_response>", "</tool_response>"],
    ["<tool_result>", "</tool_result>"],
    // DeepSeek-V3.2.jinja; prompts for Claude before native tools.
    ["<function_results>", "</function_results>"],
    // tool_chat_template_deepseekr1.jinja and deepseek-ai-DeepSeek-V3.1.jinja.
    ["<｜tool▁outputs▁begin｜>", "<｜tool▁outputs▁end｜>"],
    ["<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>"],
    // CohereForAI-c4ai-command-r7b-12-2024-tool_use.jinja.
    ["<|START_TOOL_RESULT|>", "<|END_TOOL_RESULT|>"],
    // tool_chat_template_mistral.jinja.
    ["[TOOL_RESULTS]", "[/TOOL_RESULTS]"],
    // gemma4.jinja.
    ["<|tool_response>", "<tool_response|>"],
    // google/functiongemma-270m-it.
    ["<start_function_response>", "<end_function_response>"],
];

/// The ends of reasoning, in the order of their beginnings.
static ENDS_OF_REASONING: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| REASONING.iter().map(|[_, end]| *end).collect());

/// The markers that begin the header of a message of Harmony.
const HARMONY_HEADERS: [&str; 2] = ["<|channel|>", "<|start|>"];

/// Tokens of models that are no text: the ends of messages, and the frames around text.
const TOKENS: [&str; 25] = [
    "<|im_start|>assistant",
    "<|im_assistant|>assistant<|im_middle|>",
    "<|START_RESPONSE|>",
    "<|END_RESPONSE|>",
    "<|START_TEXT|>",
    "<|END_TEXT|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|endoftext|>",
    "<|END_OF_TURN_TOKEN|>",
    "<｜end▁of▁sentence｜>",
    "<end_of_turn>",
    "<|end_of_text|>",
    "<|eot|>",
    "<|message_sep|>",
    "<|start_header_id|>assistant<|end_header_id|>",
    ">>>all\n",
    // Chat templates of Gemma 4, Apertus, Seed-OSS and MiniMax M2.
    "<turn|>",
    "<|assistant_end|>",
    "<seed:eos>",
    "[e~[",
];

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
}

/// A marker, and its part before the byte by which it is found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Marker {
    pub(super) text: &'static str,
    pub(super) head: usize,
    pub(super) kind: Kind,
}

/// All markers.
struct Markers {
    /// By the byte by which they are found, and the one behind it.
    by_bytes: Vec<Vec<Marker>>,
    /// What stands before such a byte.
    heads: Vec<&'static str>,
    /// The last bytes of what stands before such a byte.
    ends_of_heads: Vec<u8>,
    /// The beginnings of what stands before such a byte, by their last byte.
    begun_heads: Vec<Vec<&'static str>>,
    /// True for the two bytes that follow `<` in a marker.
    after_less: Vec<bool>,
}

/// The bytes by which markers are found. Code and values without a marker begin with the last three.
const ANCHORS: [u8; 7] = *b"<>_:`[{";

static MARKERS: LazyLock<Markers> = LazyLock::new(|| {
    let mut markers = Markers {
        by_bytes: vec![Vec::new(); ANCHORS.len() * 256],
        heads: Vec::new(),
        ends_of_heads: Vec::new(),
        begun_heads: vec![Vec::new(); 256],
        after_less: vec![false; 256 * 256],
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
    markers
});

impl Markers {
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
        if head > 0 && !self.heads.contains(&&text[..head]) {
            self.add_head(&text[..head]);
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
            if bytes[head] == b'<' {
                let marker = Marker { text, head, kind };
                for third in 0..=u8::MAX {
                    let row = &mut self.after_less[pair(next, third)];
                    *row |= marker.may_have(Some(third));
                }
            }
            let same = &mut self.by_bytes[place(bytes[head], next)];
            if !same.iter().any(|known| known.text == text) {
                same.push(Marker { text, head, kind });
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
                if at + 1 == head.len() {
                    self.ends_of_heads.push(byte);
                }
            }
        }
    }

    /// The markers that may stand around a byte; only those that end with it, if the text does.
    fn around(&self, text: &[u8], at: usize) -> impl Iterator<Item = &Marker> {
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

    /// Returns true if more than the byte speaks for it that anything but text begins.
    fn may_stand(&self, text: &[u8], at: usize) -> bool {
        match text[at] {
            b'`' | b'[' | b'{' => true,
            b':' | b'_' => at > 0 && self.ends_of_heads.contains(&text[at - 1]),
            b'<' => match (text.get(at + 1), text.get(at + 2)) {
                (Some(next), Some(third)) => self.after_less[pair(*next, *third)],
                _ => true,
            },
            b'>' => text.get(at + 1).is_none_or(|next| *next == b'>'),
            _ => false,
        }
    }
}

/// The place of markers by two bytes.
fn place(anchor: u8, next: u8) -> usize {
    let anchor = ANCHORS.iter().position(|byte| *byte == anchor);
    anchor.unwrap_or_default() * 256 + usize::from(next)
}

/// The place of two bytes.
fn pair(next: u8, third: u8) -> usize {
    usize::from(next) * 256 + usize::from(third)
}

/// Returns true for the bytes of `ANCHORS`, and for a few that are rare. Three comparisons tell them, which a compiler
/// makes for many bytes at once.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "branches keep a compiler from doing it for many bytes"
)]
const fn is_anchor(byte: u8) -> bool {
    (byte | 0x24 == 0x7f) | (byte & 0xdf == 0x40) | (byte | 0x06 == 0x3e)
}

/// The number of bytes that are looked at together.
const BLOCK: usize = 64;

/// Finds the next byte at which anything but text may begin, from a position on.
pub(super) fn next(text: &[u8], from: usize) -> Option<usize> {
    let markers = &*MARKERS;
    let mut at = from;
    loop {
        at += next_anchor(&text[at..])?;
        if markers.may_stand(text, at) {
            return Some(at);
        }
        at += 1;
    }
}

fn next_anchor(text: &[u8]) -> Option<usize> {
    let (near, far) = text.split_at(text.len().min(BLOCK / 4));
    if let Some(found) = near.iter().position(|byte| is_anchor(*byte)) {
        return Some(found);
    }
    let has_none = |block: &&[u8]| {
        !block
            .iter()
            .fold(false, |found, byte| found | is_anchor(*byte))
    };
    let text_only = far.chunks_exact(BLOCK).take_while(has_none).count() * BLOCK;
    let found = far[text_only..].iter().position(|byte| is_anchor(*byte));
    found.map(|found| near.len() + text_only + found)
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
            Kind::Start | Kind::EndOfReasoning | Kind::Close | Kind::Harmony => false,
        }
    }

    /// Returns true for a marker that is one within a line too, if the line ends with it.
    pub(super) fn may_end_line(&self) -> bool {
        matches!(self.kind, Kind::Reasoning(place) if place >= PROMPTED)
    }

    /// Returns false for the third byte of another text, from the byte by which it is found: most texts differ there.
    fn may_have(&self, third: Option<u8>) -> bool {
        let own = self.text.as_bytes().get(self.head + 2);
        let (Some(own), Some(third)) = (own, third) else {
            return true;
        };
        own.eq_ignore_ascii_case(&third) || !third.is_ascii() || !own.is_ascii_alphanumeric()
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

/// The markers that end the search for the end of a broken call.
pub(super) fn interrupts() -> &'static [&'static str] {
    static INTERRUPTS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        let strong = FORMATS
            .iter()
            .filter(|format| format.strength > Strength::Weak);
        let mut all: Vec<_> = strong.flat_map(|format| format.open).copied().collect();
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
