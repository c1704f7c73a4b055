//! A text that is put together while the program is compiled.

/// The message of a failed check. What does not fit is cut.
pub(crate) struct Message {
    bytes: [u8; Self::CAPACITY],
    len: usize,
}

impl Message {
    const CAPACITY: usize = 768;

    pub(crate) const fn new() -> Self {
        Self {
            bytes: [0; Self::CAPACITY],
            len: 0,
        }
    }

    /// Adds a text. One that does not fit whole is left out, so that what is there stays UTF-8.
    pub(crate) const fn text(mut self, text: &str) -> Self {
        let bytes = text.as_bytes();
        if bytes.len() > Self::CAPACITY - self.len {
            return self;
        }
        let free = self.bytes.split_at_mut(self.len).1;
        free.split_at_mut(bytes.len()).0.copy_from_slice(bytes);
        self.len += bytes.len();
        self
    }

    /// Adds a number.
    pub(crate) const fn number(self, number: usize) -> Self {
        self.digits(number as u128)
    }

    /// Adds a whole number.
    pub(crate) const fn integer(self, number: i128) -> Self {
        let message = if number < 0 { self.text("-") } else { self };
        message.digits(number.unsigned_abs())
    }

    const fn digits(self, number: u128) -> Self {
        const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        let more = if number >= 10 {
            self.digits(number / 10)
        } else {
            self
        };
        more.text(DIGITS[(number % 10) as usize])
    }

    pub(crate) const fn as_str(&self) -> &str {
        match str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => unreachable!(),
        }
    }
}
