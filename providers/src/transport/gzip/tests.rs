use flate2::{Compression, write::GzEncoder};

use super::*;

/// A body, with the places where it was flushed.
fn compressed(pieces: &[&[u8]]) -> (Vec<u8>, Vec<usize>) {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let mut flushed = Vec::new();
    for piece in pieces {
        encoder.write_all(piece).expect("is memory");
        encoder.flush().expect("is memory");
        flushed.push(encoder.get_ref().len());
    }
    (encoder.finish().expect("is memory"), flushed)
}

/// All that comes of these bytes now.
fn read(gzip: &mut Gzip, bytes: &[u8]) -> io::Result<Vec<u8>> {
    gzip.feed(Bytes::copy_from_slice(bytes));
    let mut read = Vec::new();
    while let Some(piece) = gzip.next()? {
        read.extend_from_slice(&piece);
    }
    Ok(read)
}

#[test]
fn what_was_flushed_is_there() {
    let pieces: [&[u8]; 3] = [b"data: one\n\n", b"data: two\n\n", b""];
    let (body, flushed) = compressed(&pieces);
    let mut gzip = Gzip::new();
    let mut from = 0;
    for (piece, end) in pieces.iter().zip(flushed) {
        assert_eq!(read(&mut gzip, &body[from..end]).expect("is gzip"), *piece);
        from = end;
    }
    assert_eq!(read(&mut gzip, &body[from..]).expect("is gzip"), b"");
    gzip.finish().expect("is whole");
}

#[test]
fn it_may_be_cut_anywhere() {
    let text = br#"{"text": "There and there and there and back again"}"#;
    let (body, _) = compressed(&[text]);
    for cut in 0..=body.len() {
        let mut gzip = Gzip::new();
        let mut came = read(&mut gzip, &body[..cut]).expect("is gzip");
        let whole = cut == body.len();
        assert_eq!(gzip.finish().is_ok(), whole, "cut at {cut}");
        // Asking for the end too early ends nothing.
        let mut gzip = Gzip::new();
        came.clear();
        for part in [&body[..cut], &body[cut..]] {
            came.extend(read(&mut gzip, part).expect("is gzip"));
        }
        assert_eq!(came, text);
        gzip.finish().expect("is whole");
    }
}

#[test]
fn what_is_no_gzip_is_an_error() {
    let (body, _) = compressed(&[b"once upon a time"]);
    assert!(read(&mut Gzip::new(), b"{\"not\": \"compressed\"}").is_err());
    let twice = [&body[..], &body].concat();
    assert!(read(&mut Gzip::new(), &twice).is_err());
    for byte in 10..body.len() {
        let mut broken = body.clone();
        broken[byte] ^= 0x55;
        let mut gzip = Gzip::new();
        let ended = read(&mut gzip, &broken).and_then(|_| gzip.finish());
        assert!(ended.is_err(), "byte {byte}");
    }
}

#[test]
fn a_bomb_goes_off_a_little_at_a_time() {
    let (body, _) = compressed(&[&vec![0; 32 << 20]]);
    let mut gzip = Gzip::new();
    gzip.feed(Bytes::from(body));
    while let Some(piece) = gzip.next().expect("is gzip") {
        assert!(piece.len() <= 1100 * PIECE, "{}", piece.len());
    }
    gzip.finish().expect("is whole");
}
