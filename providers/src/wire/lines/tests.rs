use super::{EventTooLong, LineDecoder};

fn decode(pieces: &[&[u8]]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut decoder = LineDecoder::new();
    let mut seen = |line: &[u8]| lines.push(String::from_utf8_lossy(line).into_owned());
    for piece in pieces {
        decoder.feed(piece, &mut seen).expect("is within the limit");
    }
    decoder.finish(&mut seen);
    lines
}

/// Whole, cut in two at every byte, and byte by byte.
fn check(stream: &[u8], expected: &[&str]) {
    assert_eq!(decode(&[stream]), expected);
    for cut in 0..stream.len() {
        let (first, second) = stream.split_at(cut);
        assert_eq!(decode(&[first, second]), expected, "cut at {cut}");
    }
    let bytes: Vec<_> = stream.chunks(1).collect();
    assert_eq!(decode(&bytes), expected, "byte by byte");
}

#[test]
fn a_line_ends_in_lf() {
    check(b"{}\n[1]\n", &["{}", "[1]"]);
    check(b"{}\r\n1\r\n", &["{}\r", "1\r"]);
    check(
        "\"\u{e9}\"\n\"\u{1f600}\"\n".as_bytes(),
        &["\"\u{e9}\"", "\"\u{1f600}\""],
    );
}

#[test]
fn empty_lines_are_lines_and_nothing_is_none() {
    check(b"\n\n{}\n", &["", "", "{}"]);
    check(b"", &[]);
}

#[test]
fn the_last_line_may_lack_its_end() {
    check(b"{}\n{\"a\"", &["{}", "{\"a\""]);
}

#[test]
fn a_line_may_be_as_long_as_the_limit_and_no_longer() {
    let feed = |pieces: &[&[u8]]| {
        let mut decoder = LineDecoder::new().with_limit(4);
        pieces
            .iter()
            .try_for_each(|piece| decoder.feed(piece, |_| {}))
    };
    assert_eq!(feed(&[b"1234\n1234\n12", b"34"]), Ok(()));
    for pieces in [&[&b"12345\n"[..]][..], &[b"12345"], &[b"12", b"345"]] {
        assert_eq!(feed(pieces), Err(EventTooLong { limit: 4 }), "{pieces:?}");
    }
}
