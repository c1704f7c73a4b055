//! The text that an error quotes pieces of.

/// The whole text that the message of an error quotes pieces of. It is no part of the error: it is not
/// shown, not stored and not compared.
#[derive(Clone, Default)]
pub(super) struct Quoted(Option<Box<str>>);

impl Quoted {
    pub(super) fn of(text: &str) -> Self {
        Self(Some(text.into()))
    }

    pub(super) fn take(&mut self) -> Option<Box<str>> {
        self.0.take()
    }
}

impl PartialEq for Quoted {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Quoted {}
