use super::{EventTooLong, SseDecoder};

fn decode(pieces: &[&[u8]]) -> Vec<(String, String)> {
    let mut events = Vec::new();
    let mut decoder = SseDecoder::new();
    let mut seen = |event: super::SseEvent<'_>| {
        events.push((
            event.name.to_owned(),
            String::from_utf8_lossy(event.data).into_owned(),
        ));
    };
    for piece in pieces {
        decoder.feed(piece, &mut seen).expect("is within the limit");
    }
    decoder.finish(&mut seen).expect("is within the limit");
    events
}

/// Whole, cut in two at every byte, and byte by byte.
fn check(stream: &[u8], expected: &[(&str, &str)]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|(name, data)| ((*name).to_owned(), (*data).to_owned()))
        .collect();
    assert_eq!(decode(&[stream]), expected);
    for cut in 0..stream.len() {
        let (first, second) = stream.split_at(cut);
        assert_eq!(decode(&[first, second]), expected, "cut at {cut}");
    }
    let bytes: Vec<_> = stream.chunks(1).collect();
    assert_eq!(decode(&bytes), expected, "byte by byte");
}

#[test]
fn lines_end_in_lf_crlf_or_cr() {
    check(b"data: a\n\ndata: b\n\n", &[("", "a"), ("", "b")]);
    check(b"data: a\r\n\r\ndata: b\r\n\r\n", &[("", "a"), ("", "b")]);
    check(b"data: a\r\rdata: b\r\r", &[("", "a"), ("", "b")]);
    check(b"data: a\r\n\ndata: b\n\r\n", &[("", "a"), ("", "b")]);
}

#[test]
fn several_data_lines_are_one_event() {
    check(b"data: a\ndata:\ndata: b\n\n", &[("", "a\n\nb")]);
    check(b"data\n\n", &[("", "")]);
}

#[test]
fn one_space_after_the_colon_is_optional() {
    check(b"data:a\n\ndata:  b\n\n", &[("", "a"), ("", " b")]);
}

#[test]
fn comments_and_other_fields_are_read_over() {
    check(
        b": hello\n\nretry: 3\n\nid: 1\n:\ndata: a\nother: x\nlonely\n\n",
        &[("", "a")],
    );
}

#[test]
fn a_name_belongs_to_its_event_alone() {
    check(
        b"event: ping\n\nevent: error\ndata: a\n\ndata: b\n\n",
        &[("error", "a"), ("", "b")],
    );
}

#[test]
fn a_byte_order_mark_is_skipped_at_the_start_only() {
    check(
        b"\xEF\xBB\xBFdata: a\n\n\xEF\xBB\xBFdata: b\n\n",
        &[("", "a")],
    );
}

#[test]
fn the_last_event_needs_no_blank_line() {
    check(b"data: a\n\ndata: b\n", &[("", "a"), ("", "b")]);
    check(b"data: a\n\ndata: b", &[("", "a"), ("", "b")]);
}

#[test]
fn bytes_that_are_no_text_come_through() {
    check(b"event: \xFF\ndata: \xFFa\n\n", &[("", "\u{FFFD}a")]);
}

#[test]
fn an_event_has_a_longest_length_however_it_comes() {
    let stream = b"data: 0123456789\n\n";
    for size in [1, 3, stream.len()] {
        let mut decoder = SseDecoder::new().with_limit(8);
        let result = stream
            .chunks(size)
            .try_for_each(|piece| decoder.feed(piece, |_| {}));
        assert_eq!(result, Err(EventTooLong { limit: 8 }), "pieces of {size}");
    }
    let mut decoder = SseDecoder::new().with_limit(8);
    assert!((0..100).any(|_| decoder.feed(b"data:x\n", |_| {}).is_err()));
    let mut decoder = SseDecoder::new().with_limit(8);
    assert!(decoder.feed(b": a comment without an end", |_| {}).is_err());
}

#[test]
fn the_longest_length_is_the_same_wherever_the_bytes_are_cut() {
    for (stream, fits) in [
        (&b"data:1234567\n\n"[..], true),
        (b"data:12345678\n\n", false),
        (b"event:a\ndata:12345678\n\n", false),
        (b"event:1234567\ndata:1\n\n", false),
        (b": 01234567890\n\n", false),
    ] {
        for size in 1..=stream.len() {
            let mut decoder = SseDecoder::new().with_limit(12);
            // The fast way is not taken at the start.
            decoder.feed(b"\n", |_| {}).expect("is short");
            let mut pieces = stream.chunks(size);
            let fed = pieces.try_for_each(|piece| decoder.feed(piece, |_| {}));
            assert_eq!(fed.is_ok(), fits, "{stream:?} in pieces of {size}");
        }
    }
}
