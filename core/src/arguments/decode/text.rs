//! Strings that are borrowed from the call where they can be.

use std::borrow::Cow;

use toolwright_json::string::Text;

use super::slot::Carry;

impl<'de> Carry<Cow<'de, str>> for Text<'de> {
    #[inline]
    fn taken(self) -> Cow<'de, str> {
        self.0
    }
}

impl<'de> Carry<Option<Cow<'de, str>>> for Option<Text<'de>> {
    #[inline]
    fn taken(self) -> Option<Cow<'de, str>> {
        self.map(|text| text.0)
    }
}
