//! The values that a place allows, as a model is shown them: of many a few, those first that are most like
//! what came.

use std::fmt::Write as _;

#[cfg(feature = "jsonschema")]
use serde_json::Value;

#[cfg(feature = "jsonschema")]
use toolwright_json::path::cut;
use toolwright_json::path::shortened;

use super::suggest::likeness;

/// The number of allowed values that are shown.
const SHOWN: usize = 20;
/// The number of allowed values that are compared to find the intended one.
const MAX_COMPARED: usize = 2_000;

/// The values that a place allows: of each the string that is compared with the actual value, and the one that the
/// model is shown.
#[derive(Debug)]
pub(crate) struct Choices(Vec<(String, String)>);

impl Choices {
    /// Texts.
    pub(crate) fn of_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let shown = |name: &str| (name.to_owned(), format!("{:?}", shortened(name)));
        Self::of_shown(names.into_iter().map(shown))
    }

    /// Any values.
    #[cfg(feature = "jsonschema")]
    pub(crate) fn of_values<'a>(values: impl IntoIterator<Item = &'a Value>) -> Self {
        let shown = |value: &Value| {
            let json = value.to_string();
            let name = value.as_str().map_or_else(|| json.clone(), str::to_owned);
            (name, cut(&json))
        };
        Self::of_shown(values.into_iter().map(shown))
    }

    /// Names, and what is shown of them.
    pub(crate) fn of_shown(all: impl Iterator<Item = (String, String)>) -> Self {
        Self(all.collect())
    }

    /// Returns true if there are more than are shown.
    pub(crate) fn are_many(&self) -> bool {
        self.0.len() > SHOWN
    }

    /// `one of "a", "b"`, or only `"a"`. Of many those that are most like the JSON text that came.
    pub(crate) fn text(&self, got: Option<&str>) -> String {
        if let [(_, only)] = self.0.as_slice() {
            return only.clone();
        }
        let mut all: Vec<_> = self.0.iter().take(MAX_COMPARED).collect();
        if let Some(got) = got.filter(|_| self.are_many()) {
            let said: Option<String> = serde_json::from_str(got).ok();
            let name = said.as_deref().unwrap_or(got);
            all.sort_by_cached_key(|(known, _)| likeness(name, known));
        }
        all.truncate(SHOWN);
        let shown: Vec<_> = all.iter().map(|(_, shown)| shown.as_str()).collect();
        let more = match self.0.len() - shown.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("one of {}{more}", shown.join(", "))
    }
}

/// Adds names as [`Choices::text`] shows them, of which there are no more than are shown.
pub(crate) fn push_names(text: &mut String, names: &[&str]) {
    text.push_str(if names.len() == 1 { "" } else { "one of " });
    for (place, name) in names.iter().enumerate() {
        text.push_str(if place > 0 { ", " } else { "" });
        let _ = write!(text, "{:?}", shortened(name));
    }
}

#[cfg(test)]
mod tests {
    use super::Choices;

    #[test]
    fn of_many_the_nearest_are_shown() {
        let names: Vec<_> = (0..30).map(|number| format!("N{number:02}")).collect();
        let names = || names.iter().map(String::as_str);
        let few = Choices::of_names(names().take(3));
        assert_eq!(few.text(Some("\"n02\"")), r#"one of "N00", "N01", "N02""#);
        let many = Choices::of_names(names());
        let text = many.text(Some("\"n27\""));
        assert!(text.starts_with(r#"one of "N27", "#), "{text}");
        assert!(text.ends_with(" and 10 more"), "{text}");
        assert!(many.text(None).starts_with(r#"one of "N00", "N01", "#));
    }
}
