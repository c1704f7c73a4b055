//! Conversions of a value of one type to another.

use serde_json::{Map, Value};
use toolwright_json::string::unescaped;

use super::{Fit, Walk, keeps::number, one_item::is_one_item, parts::of_every_item};
use crate::{arguments::repair_json, tool::ChangeKind};

/// A value that another one may stand for.
struct Candidate {
    text: String,
    /// The changes that made it from the value, in order.
    kinds: Vec<ChangeKind>,
    /// True if values in it are not written as they came.
    is_respelled: bool,
    /// True if it only counts as another possible reading, and is never used itself.
    is_only_rival: bool,
}

impl Candidate {
    fn new(text: impl Into<String>, kind: ChangeKind) -> Self {
        Self {
            text: text.into(),
            kinds: vec![kind],
            is_respelled: false,
            is_only_rival: false,
        }
    }
}

impl<'s> Walk<'s> {
    /// A value of a type that the schema refuses becomes the one value that it stands for.
    pub(super) fn converted(
        &mut self,
        schema: &'s Map<String, Value>,
        types: &[&str],
        text: &str,
        depth: usize,
    ) -> Fit {
        let mut meant: Option<(Candidate, String)> = None;
        let is_written = self.written.has(text);
        for candidate in candidates(schema, types, text, is_written) {
            let fit = self.tried(|walk| walk.inside_candidate(schema, &candidate, depth));
            if !self.spend(candidate.text.len()) || !fit.fits {
                continue;
            }
            let is_spelled = fit.new.is_none() && candidate.kinds == [ChangeKind::Parsed];
            let new = fit.new.unwrap_or_else(|| candidate.text.clone());
            // A text that spells a value which fits as it is means that value.
            if is_spelled {
                meant = Some((candidate, new));
                break;
            }
            match &meant {
                Some((_, other)) if *other != new => return Fit::default(),
                Some(_) => {}
                None => meant = Some((candidate, new)),
            }
        }
        let Some((candidate, new)) = meant.filter(|(meant, _)| !meant.is_only_rival) else {
            return Fit::default();
        };
        for kind in &candidate.kinds {
            self.changed(*kind);
        }
        // Again, for the record of what is changed inside.
        self.inside_candidate(schema, &candidate, depth);
        Fit {
            new: Some(new),
            fits: true,
        }
    }

    fn inside_candidate(
        &mut self,
        schema: &'s Map<String, Value>,
        candidate: &Candidate,
        depth: usize,
    ) -> Fit {
        let written = self.written;
        self.written.is_inside_respelled |= candidate.is_respelled;
        let fit = self.inside(schema, &candidate.text, depth);
        self.written = written;
        fit
    }
}

/// Returns the values that a value may be converted to. A string that contains a list comes before the list of the
/// string. A value that is not written as it came is not converted to a string.
fn candidates(
    schema: &Map<String, Value>,
    types: &[&str],
    text: &str,
    is_written: bool,
) -> Vec<Candidate> {
    let string = unescaped(text);
    let says = string.as_deref();
    let mut all = Vec::new();
    for name in types {
        match *name {
            "integer" | "number" => all.extend(
                says.filter(|says| is_number(name, says))
                    .map(|says| Candidate::new(says, ChangeKind::ToNumber)),
            ),
            "boolean" => {
                let json = says.and_then(|says| match says {
                    "true" | "True" => Some("true"),
                    "false" | "False" => Some("false"),
                    _ => None,
                });
                all.extend(json.map(|json| Candidate::new(json, ChangeKind::ToBoolean)));
            }
            "string" if is_written && is_plain(text) => {
                all.push(Candidate::new(format!("\"{text}\""), ChangeKind::ToText));
            }
            "object" => all.extend(says.and_then(|says| parsed(says, '{'))),
            "array" => {
                all.extend(says.and_then(|says| parsed(says, '[')));
                let is_one = is_one_item(schema, text, says);
                if is_one || says.is_some() && of_every_item(schema).is_some() {
                    all.push(Candidate {
                        is_only_rival: !is_one,
                        ..Candidate::new(format!("[{text}]"), ChangeKind::Listed)
                    });
                }
            }
            _ => {}
        }
    }
    all
}

/// Returns true if a string is a number as JSON writes it.
fn is_number(name: &str, says: &str) -> bool {
    // serde_json takes white space around it.
    number(says).is_some_and(f64::is_finite)
        && serde_json::from_str::<f64>(says).is_ok_and(f64::is_finite)
        && !says.ends_with([' ', '\n', '\r', '\t'])
        && super::keeps::is_of_type(name, says)
}

/// A number or a boolean of which there is one text. `1e3` may be meant as `1000`.
fn is_plain(text: &str) -> bool {
    matches!(text, "true" | "false") || number(text).is_some() && !text.contains(['e', 'E'])
}

/// The object or the list that a text spells.
fn parsed(says: &str, bracket: char) -> Option<Candidate> {
    let says = says.trim_ascii();
    if !says.starts_with(bracket) {
        return None;
    }
    let repaired = repair_json(says)
        .ok()
        .filter(|repaired| !repaired.is_cut_off)?;
    let mut kinds = vec![ChangeKind::Parsed];
    kinds.extend(repaired.changes.iter().map(|change| change.kind));
    Some(Candidate {
        is_respelled: !repaired.respelled.is_empty(),
        is_only_rival: false,
        text: repaired.text.into_owned(),
        kinds,
    })
}
