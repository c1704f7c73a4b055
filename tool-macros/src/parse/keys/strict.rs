//! The keys by which a tool asks for more than the rules for all.

use syn::{LitInt, LitStr};

use super::Keys;
use crate::{
    errors::Errors,
    model::{Asked, Profile, Strict},
    suggest::is_near,
};

/// The maximum number of levels for all tools.
const MAX_DEPTH: u16 = 10;

impl Keys {
    /// `strict = "…"` and `max_depth = …`.
    pub(in crate::parse) fn asked(&mut self, errors: &mut Errors) -> Asked {
        Asked {
            strict: self.strict(errors),
            max_depth: self.max_depth(errors),
        }
    }

    fn strict(&mut self, errors: &mut Errors) -> Option<Strict> {
        let literal: LitStr = self.value("strict", "strict = \"openai\"", errors)?;
        let name = literal.value();
        let known = Profile::ALL.into_iter().find(|known| known.name() == name);
        let Some(profile) = known else {
            let lower = name.to_lowercase();
            let near = Profile::ALL
                .iter()
                .find(|known| is_near(&lower, known.name()));
            let hint = near.map_or(":".to_owned(), |near| {
                format!(", did you mean `{}`?", near.name())
            });
            let names = Profile::ALL.map(Profile::name).join("`, `");
            let message = format!("unknown rules `{name}`{hint} `strict` knows `{names}`");
            errors.at(literal, message);
            return None;
        };
        Some(Strict { profile, literal })
    }

    fn max_depth(&mut self, errors: &mut Errors) -> Option<u16> {
        let literal: LitInt = self.value("max_depth", "max_depth = 4", errors)?;
        let message = match literal.base10_parse::<u16>() {
            Ok(0) => "the arguments object is the first level: write a number from 1 to 10",
            Ok(levels) if levels <= MAX_DEPTH => return Some(levels),
            Ok(_) => {
                "no tool has more than 10 levels: write a number from 1 to 10, or remove `max_depth`"
            }
            Err(_) => "this is no number of levels: write one from 1 to 10",
        };
        errors.at(literal, message);
        None
    }
}
