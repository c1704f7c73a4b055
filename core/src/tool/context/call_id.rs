//! The id of a call, which is short for every provider.

use std::sync::Arc;

/// The id of a call. A short one, as all providers send, is stored inline, so that a call allocates
/// nothing for it.
#[derive(Clone)]
pub(super) enum CallIdText {
    Short { length: u8, bytes: [u8; SHORT] },
    Shared(Arc<str>),
}

const SHORT: usize = 46;

impl CallIdText {
    pub(super) fn new(id: &str) -> Self {
        let mut bytes = [0; SHORT];
        match (bytes.get_mut(..id.len()), u8::try_from(id.len())) {
            (Some(place), Ok(length)) => {
                place.copy_from_slice(id.as_bytes());
                Self::Short { length, bytes }
            }
            _ => Self::Shared(id.into()),
        }
    }

    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Short { length, bytes } => str::from_utf8(&bytes[..usize::from(*length)])
                .expect("the bytes are those of a text, and of all of it"),
            Self::Shared(id) => id,
        }
    }
}

impl Default for CallIdText {
    fn default() -> Self {
        Self::Short {
            length: 0,
            bytes: [0; SHORT],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_of_any_length_is_itself() {
        for length in [0, 1, SHORT - 1, SHORT, SHORT + 1, 255, 256, 1_000] {
            let id = "ä".repeat(length / 2) + &"x".repeat(length % 2);
            let text = CallIdText::new(&id);
            assert_eq!(text.as_str(), id);
            assert_eq!(matches!(text, CallIdText::Short { .. }), length <= SHORT);
        }
        assert_eq!(CallIdText::default().as_str(), "");
    }
}
