//! A struct marked `#[derive(Tool)]`.

use syn::{Data, DeriveInput, Fields};

use super::{
    declaration, input,
    keys::{Keys, Position},
};
use crate::{
    errors::Errors,
    model::{Derived, plain},
    snake_case::snake_case,
};

/// Reads the tool. None if it has a form that cannot be one.
pub(crate) fn derived(item: &DeriveInput, errors: &mut Errors) -> Option<Derived> {
    let mut keys = Keys::of(Position::STRUCT, &item.attrs, errors);
    let root = keys.root(errors);
    let has_json_schema = keys.json_schema(errors);
    let (ident, attributes) = (item.ident.clone(), &item.attrs);
    let name_of = |ident: &_| snake_case(&plain(ident));
    let tool = declaration::tool(ident, name_of, attributes, &mut keys, root.clone(), errors);
    if let Some(message) = no_object(item) {
        errors.at(&item.ident, message);
        return None;
    }
    let input = input::described(item, (root, has_json_schema), errors)?;
    Some(Derived { tool, input })
}

/// Returns the message if a type is not the object that arguments are.
fn no_object(item: &DeriveInput) -> Option<String> {
    let ident = &item.ident;
    match &item.data {
        Data::Struct(data) => match data.fields {
            Fields::Named(_) => None,
            Fields::Unnamed(_) => {
                Some("the arguments of a tool have names: give the fields names".to_owned())
            }
            Fields::Unit => Some(format!(
                "the arguments of a tool are an object: write `struct {ident} {{}}`"
            )),
        },
        Data::Enum(_) | Data::Union(_) => Some(format!(
            "the arguments of a tool are an object: derive `ToolInput` for `{ident}`, and `Tool` \
             for a struct that has it as a field"
        )),
    }
}
