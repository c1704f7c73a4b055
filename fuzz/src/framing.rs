//! What is asked of the framing of streams: the same events wherever the bytes are cut, none longer than
//! the limit, and all of them together no longer than the bytes.

use toolwright::wire::{EventTooLong, LineDecoder, SseDecoder, SseEvent};

use super::codecs::pieces;

/// Names and data, and how it ended.
type Read = (Vec<(String, Vec<u8>)>, Result<(), EventTooLong>);

/// Two bytes that choose, and a stream.
#[allow(dead_code, reason = "the tests choose by themselves")]
pub(crate) fn chosen(input: &[u8]) {
    if let Some((choice, stream)) = input.split_first_chunk() {
        check(u16::from_le_bytes(*choice), stream);
    }
}

/// Any bytes as server-sent events, and as lines.
pub(crate) fn check(choice: u16, stream: &[u8]) {
    for limit in [1 << 20, 1 + usize::from(choice) % 64] {
        for read in [events, lines] {
            let whole = read(limit, &[stream]);
            let length: usize = whole
                .0
                .iter()
                .map(|(name, data)| name.len() + data.len())
                .sum();
            assert!(length <= stream.len());
            assert!(whole.0.iter().all(|(_, data)| data.len() <= limit));
            assert_eq!(read(limit, &pieces(stream, choice)), whole);
            let bytes: Vec<_> = stream.chunks(1).collect();
            assert_eq!(read(limit, &bytes), whole, "byte by byte");
        }
    }
}

fn events(limit: usize, pieces: &[&[u8]]) -> Read {
    let mut seen = Vec::new();
    let mut keep = |event: SseEvent<'_>| seen.push((event.name.to_owned(), event.data.to_vec()));
    let mut decoder = SseDecoder::new().with_limit(limit);
    let fed = pieces
        .iter()
        .try_for_each(|piece| decoder.feed(piece, &mut keep));
    let ended = fed.and_then(|()| decoder.finish(&mut keep));
    (seen, ended)
}

fn lines(limit: usize, pieces: &[&[u8]]) -> Read {
    let mut seen = Vec::new();
    let mut decoder = LineDecoder::new().with_limit(limit);
    let mut keep = |line: &[u8]| seen.push((String::new(), line.to_vec()));
    let fed = pieces
        .iter()
        .try_for_each(|piece| decoder.feed(piece, &mut keep));
    if fed.is_ok() {
        decoder.finish(&mut keep);
    }
    (seen, fed)
}
