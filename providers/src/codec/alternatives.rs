//! Several responses to one request, of which the first counts.

use toolwright_core::model::{ModelEvent, Warning};
use toolwright_json::reader::{Reader, Unexpected};

use super::partial_object::{Field, Object};

/// One of several responses.
pub(crate) trait Numbered {
    /// Its number; the first is 0.
    fn index(&self) -> Option<u64>;
}

/// The first of a list of responses, and whether there are others: no codec asks for more than one.
#[derive(Debug)]
pub(crate) struct Alternatives<T> {
    pub(crate) first: Option<T>,
    pub(crate) others: bool,
}

/// Returns the warning for a response that has more than one choice.
pub(crate) fn left_out() -> ModelEvent {
    ModelEvent::Warning(Warning::new(
        "other_choices",
        "the provider sent more than one choice; only the first is kept",
    ))
}

impl<T> Default for Alternatives<T> {
    fn default() -> Self {
        Self {
            first: None,
            others: false,
        }
    }
}

impl<'t, T: Object<'t> + Numbered> Field<'t> for Alternatives<T> {
    fn read(place: &mut Option<Self>, reader: &mut Reader<'t>) -> Result<(), Unexpected> {
        if reader.null() {
            return Ok(());
        }
        let all = place.insert(Self::default());
        reader.items(|reader| {
            if all.first.is_some() {
                all.others = true;
                return T::default().fill(reader);
            }
            let response = all.first.insert(T::default());
            response.fill(reader)?;
            if response.index().unwrap_or(0) != 0 {
                all.first = None;
                all.others = true;
            }
            Ok(())
        })
    }
}
