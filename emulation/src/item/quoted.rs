//! Calls as `call:name{key:value}`, with strings between tokens of the model.

use crate::{
    attempt::{Reading, call},
    declared::Declared,
    literal::Literals,
};

pub(super) fn read(tokens: &'static [&'static str], text: &str, tools: &Declared) -> Reading {
    let Some((before, arguments)) = text.split_once('{') else {
        return Reading::malformed(None, "the arguments are missing");
    };
    let name = before.split_once(':').map_or(before, |(_, name)| name);
    let read = || {
        let mut literals = Literals::new(arguments, tokens);
        let mut json = String::new();
        literals.members(':', '}', &mut json)?;
        if literals.is_end() {
            Ok(json)
        } else {
            Err("text follows the arguments")
        }
    };
    Reading::of(call(tools, name, "", |_| read().map_err(str::to_owned)))
}
