//! Bytes as standard base64 with padding.

use base64::{
    Engine as _,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

/// Some encoders leave bits behind the last byte, which say nothing.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

/// Standard base64 with padding.
pub(crate) fn encode(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

/// The bytes of standard base64; `None` for a text that is none.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    BASE64.decode(text).ok()
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn the_examples_of_the_standard() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()));
        }
        assert_eq!(encode(&[0xfb, 0xff, 0xfe]), "+//+");
        assert_eq!(decode("Zh==").as_deref(), Some("f".as_bytes()));
        for wrong in ["Z", "Zg", "Z===", "Zm=v", "Zm9 ", "====", "Zm9v===="] {
            assert_eq!(decode(wrong), None, "{wrong}");
        }
    }
}
