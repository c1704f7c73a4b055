//! The pieces of a response so far, for those who come later.

use std::collections::HashMap;

use toolwright_core::model::ModelEvent;

/// The pieces of a response: texts that follow each other are one, and what replaces an earlier piece takes its
/// place.
#[derive(Debug, Default)]
pub(super) struct Reply {
    pieces: Vec<ModelEvent>,
    /// The places of the pieces that others are added to, whatever is between them.
    places: HashMap<Joined, usize>,
}

/// What all pieces of are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Joined {
    /// The arguments of the call at this place.
    Arguments(usize),
    Usage,
    Requests,
}

impl Joined {
    fn of(piece: &ModelEvent) -> Option<Self> {
        match piece {
            ModelEvent::CallArguments { index, .. } => Some(Self::Arguments(*index)),
            ModelEvent::Usage(_) => Some(Self::Usage),
            ModelEvent::Requests(_) => Some(Self::Requests),
            _ => None,
        }
    }
}

impl Reply {
    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The pieces, in order.
    pub(super) fn pieces(&self) -> Vec<ModelEvent> {
        self.pieces.clone()
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn push(&mut self, piece: &ModelEvent) {
        let joined = Joined::of(piece);
        let earlier = match joined {
            Some(joined) => {
                (self.places.get(&joined)).and_then(|place| self.pieces.get_mut(*place))
            }
            None => self.pieces.last_mut(),
        };
        match (earlier, piece) {
            (Some(ModelEvent::Text(all)), ModelEvent::Text(text))
            | (Some(ModelEvent::Reasoning(all)), ModelEvent::Reasoning(text))
            | (Some(ModelEvent::Refusal(all)), ModelEvent::Refusal(text))
            | (
                Some(ModelEvent::CallArguments { text: all, .. }),
                ModelEvent::CallArguments { text, .. },
            ) => all.push_str(text),
            (Some(earlier), _) if joined.is_some() => earlier.clone_from(piece),
            _ => {
                if let Some(joined) = joined {
                    self.places.insert(joined, self.pieces.len());
                }
                self.pieces.push(piece.clone());
            }
        }
    }
}
