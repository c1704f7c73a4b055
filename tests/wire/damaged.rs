//! Recorded answers with random damage, which every codec has to bear.
//!
//! It is asked of a codec what the fuzz targets ask.

#[path = "../../fuzz/src/codecs.rs"]
#[allow(dead_code, reason = "the fuzz targets choose by bytes")]
mod codecs;
#[path = "../../fuzz/src/requests.rs"]
#[allow(dead_code, reason = "other tests look at what was sent")]
mod requests;

use std::path::Path;

use libtest_mimic::Trial;

use crate::{
    mutation::{Random, damage},
    record::Record,
};

/// The folders of the recordings, with the codecs that read them.
const FOLDERS: [(&str, &str); 5] = [
    ("anthropic", "anthropic"),
    ("gemini", "gemini"),
    ("ollama", "ollama"),
    ("openai-chat", "openai_chat"),
    ("openai-responses", "openai_responses"),
];

/// How many bytes are damaged of one recording, in all: short ones more often.
const BYTES: usize = 600_000;
/// How often one is damaged at most.
const MOST: usize = 100;

pub(crate) fn trials(recordings: &Path) -> Vec<Trial> {
    let trial = |(folder, codec): (&'static str, &'static str)| {
        let path = recordings.join(folder);
        let is_ignored = !path.exists();
        let check = move || {
            let damaged = check(&path, codec);
            assert!(damaged > 1_000, "{damaged} damaged answers are few");
            Ok(())
        };
        Trial::test(format!("damaged::{folder}"), check).with_ignored_flag(is_ignored)
    };
    FOLDERS.into_iter().map(trial).collect()
}

fn check(folder: &Path, codec: &str) -> usize {
    let codec = codecs::codec(codec);
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut choice = || u16::try_from(random.below(1 << 16)).expect("is below");
    let mut damaged = 0;
    for record in Record::read_all(folder) {
        let body = record.response.body.into_bytes();
        codecs::check(codec, choice(), &body);
        let mut random = Random(body.len() as u64 + 1);
        for _ in 0..(BYTES / body.len().max(1)).clamp(1, MOST) {
            let mut body = body.clone();
            damage(&mut body, &mut random);
            codecs::check(codec, choice(), &body);
            damaged += 1;
        }
    }
    damaged
}
