//! The rules for what a tool says of itself beside its description.

use crate::{
    errors::Errors,
    model::{Hint, Hints, Tool},
    visible::has_visible,
};

/// A title that is given says something.
pub(super) fn titled(tool: &Tool, errors: &mut Errors) {
    if let Some(title) = &tool.title
        && !has_visible(&title.value())
    {
        let message = "the title is empty: write a name for people, such as `Current weather`";
        errors.at(title, message);
    }
}

/// No key says the opposite of another.
pub(super) fn consistent(hints: &Hints, errors: &mut Errors) {
    let is = |hint: &Option<Hint>, value| hint.as_ref().is_some_and(|hint| hint.value == value);
    if !is(&hints.read_only, true) {
        return;
    }
    if let Some(Hint { value: true, key }) = &hints.destructive {
        let message = "a tool that is `read_only` changes nothing, so it is not `destructive`: \
                       remove one of them";
        errors.at(key, message);
    }
    if let Some(Hint { value: false, key }) = &hints.idempotent {
        let message = "a tool that is `read_only` changes nothing, also the second time, so it is \
                       `idempotent`: remove one of them";
        errors.at(key, message);
    }
}
