//! Model of a tool, and of a type inside its arguments: the vocabulary that all stages share.

mod constraint;
mod doubtful;
mod field_types;
mod policy;
mod root;
mod strict;

pub(crate) use doubtful::{doubtful, is_doubtful};
pub(crate) use policy::{Capability, Given, Named, Period, Policy, Rate};
pub(crate) use root::{Root, foreign, foreign_arguments, is_foreign};
pub(crate) use strict::{Asked, Profile, Strict};

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    Attribute, Expr, ExprPath, GenericParam, Generics, LitStr, Member, Path, ReturnType, Signature,
    Type, Visibility,
};

pub(crate) use constraint::{Constraint, Constraints, Limits, Rule, Written, seen};

/// The declaration that all forms of a tool share.
pub(crate) struct Tool {
    /// The identifier of the item that declares it.
    pub(crate) ident: Ident,
    /// The conditions under which it exists.
    pub(crate) conditions: Vec<Attribute>,
    /// The path of the facade for generated code.
    pub(crate) root: Root,
    pub(crate) name: Name,
    pub(crate) description: Text,
    pub(crate) title: Option<LitStr>,
    pub(crate) hints: Hints,
    pub(crate) asked: Asked,
    /// Present if a model reads the definition only when it has looked for it.
    pub(crate) deferred: Option<Ident>,
    pub(crate) policy: Policy,
}

/// The kind of a tool. A hint that is None was not given.
#[derive(Default)]
pub(crate) struct Hints {
    pub(crate) read_only: Option<Hint>,
    pub(crate) destructive: Option<Hint>,
    pub(crate) idempotent: Option<Hint>,
    pub(crate) open_world: Option<Hint>,
}

/// A key that says yes or no.
pub(crate) struct Hint {
    pub(crate) value: bool,
    pub(crate) key: Ident,
}

/// A function or method that is a tool.
pub(crate) struct Callable {
    pub(crate) tool: Tool,
    /// The function as it was written, without the attributes that are ours.
    pub(crate) signature: Signature,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) place: Place,
    /// True if something in it is deprecated, or may be.
    pub(crate) names_deprecated: bool,
}

impl Callable {
    pub(crate) fn output(&self) -> &ReturnType {
        &self.signature.output
    }
}

/// The place of a function.
pub(crate) enum Place {
    /// In a module or a body, with a type beside it.
    Module {
        /// The name of that type.
        type_ident: Ident,
        visibility: Visibility,
        /// `#[deprecated]` of the function.
        deprecated: Vec<Attribute>,
    },
    /// In an `impl` block.
    Block,
}

/// A struct that is a tool: its fields are the arguments.
pub(crate) struct Derived {
    pub(crate) tool: Tool,
    pub(crate) input: Input,
}

/// An `impl` block with tools in it.
pub(crate) struct Block {
    pub(crate) generics: Generics,
    pub(crate) self_ty: Type,
    pub(crate) root: Root,
    /// The name of the function that gives the tools.
    pub(crate) function: Ident,
    pub(crate) methods: Vec<Callable>,
    /// True if something in it is deprecated, or may be.
    pub(crate) names_deprecated: bool,
}

impl Block {
    /// Finds `Self` or a parameter of the block in a type. They have no meaning outside the block.
    pub(crate) fn own_name_in(&self, ty: &Type) -> Option<Ident> {
        self.own_name(ty.to_token_stream())
    }

    /// Returns true if tokens name `Self` or a parameter of the block.
    pub(crate) fn names_own(&self, tokens: TokenStream) -> bool {
        self.own_name(tokens).is_some()
    }

    fn own_name(&self, tokens: TokenStream) -> Option<Ident> {
        tokens.into_iter().find_map(|token| match token {
            TokenTree::Ident(ident) if self.is_own(&ident) => Some(ident),
            TokenTree::Group(group) => self.own_name(group.stream()),
            _ => None,
        })
    }

    fn is_own(&self, ident: &Ident) -> bool {
        let mut parameters = self.generics.params.iter();
        *ident == "Self"
            || parameters.any(|parameter| match parameter {
                GenericParam::Type(parameter) => parameter.ident == *ident,
                GenericParam::Const(parameter) => parameter.ident == *ident,
                GenericParam::Lifetime(_) => false,
            })
    }
}

/// The name that the model calls.
pub(crate) struct Name {
    pub(crate) text: String,
    /// The key's value, or the identifier it comes from.
    pub(crate) span: Span,
    /// True if a key gave the name.
    pub(crate) given: bool,
}

/// A description.
pub(crate) enum Text {
    /// There is none.
    Missing,
    /// A description that was refused already.
    Refused,
    /// The text, and the tokens it comes from.
    Known { text: String, from: TokenStream },
    /// Documentation that names files or macros.
    Documentation(TokenStream),
    /// The value of the key.
    Expression(Box<Expr>),
}

/// A parameter of a function.
pub(crate) struct Parameter {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) description: Text,
    pub(crate) source: Source,
    /// The levels that it counts as, if schemars describes it.
    pub(crate) foreign: Option<u16>,
    /// True if an error that was reported leaves open what the parameter is given.
    pub(crate) is_doubtful: bool,
}

impl Parameter {
    /// The key of the arguments object.
    pub(crate) fn name(&self) -> String {
        plain(&self.ident)
    }
}

/// The source of a parameter's value.
pub(crate) enum Source {
    /// The context.
    Context,
    /// The model.
    Argument {
        default: DefaultValue,
        constraints: Constraints,
    },
}

/// The value of an argument that is left out.
pub(crate) enum DefaultValue {
    /// No value is given, so the type decides: only an `Option` may be left out.
    None,
    /// The default of its type.
    OfType,
    /// This expression.
    Expression {
        value: Box<Expr>,
        /// True if it names nothing of an `impl` around it, so that it means the same outside.
        is_free: bool,
    },
}

/// A type that may stand inside arguments.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Input {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    pub(crate) root: Root,
    /// True if it gets `schemars::JsonSchema`.
    pub(crate) has_json_schema: bool,
    pub(crate) description: Text,
    /// True if serde writes it in another form than it reads. The description does not show the form that serde
    /// writes.
    pub(crate) has_asymmetric_serde: bool,
    /// The names that serde was told, and where.
    pub(crate) given_names: Vec<LitStr>,
    pub(crate) shape: Shape,
    /// True if serde reads the type as this macro did. An error in it is then an error in one of its parts.
    pub(crate) is_sound: bool,
    /// True if something in it is deprecated, or may be.
    pub(crate) names_deprecated: bool,
}

impl Input {
    /// The names that a model may send, and where they are written: given names, and those that are made
    /// of identifiers.
    pub(crate) fn names_at(&self) -> Vec<(Span, String)> {
        let given = self.given_names.iter();
        let mut names: Vec<_> = given.map(|name| (name.span(), name.value())).collect();
        let mut fields = |object: &Object| {
            let made = object.fields.iter().filter(|field| !field.is_renamed);
            names.extend(made.map(|field| (field.span, field.name.clone())));
        };
        match &self.shape {
            Shape::Object(object) => fields(object),
            Shape::Union { variants, .. } => {
                for variant in variants {
                    if let Content::Object(object) = &variant.content {
                        fields(object);
                    }
                }
            }
            Shape::Null | Shape::Same { .. } | Shape::Tuple(_) | Shape::Choice(_) => {}
        }
        names
    }

    /// Returns true if a type names a parameter of this type, so that it differs between users of this type.
    pub(crate) fn names_a_parameter(&self, ty: &Type) -> bool {
        names_a_parameter(&self.generics, ty)
    }
}

/// Returns true if a type names one of these parameters, so that it differs with the choice of them. Lifetimes do not
/// count.
pub(crate) fn names_a_parameter(generics: &Generics, ty: &Type) -> bool {
    let parameters = generics.params.iter();
    let names: Vec<_> = parameters
        .filter_map(|parameter| match parameter {
            GenericParam::Type(parameter) => Some(&parameter.ident),
            GenericParam::Const(parameter) => Some(&parameter.ident),
            GenericParam::Lifetime(_) => None,
        })
        .collect();
    names_any(&names, ty.to_token_stream())
}

/// Returns true if something in an item is deprecated, or may be: the item has `#[deprecated]` or
/// `#[allow(deprecated)]` in it.
pub(crate) fn names_deprecated(item: TokenStream) -> bool {
    names_any(&[&Ident::new("deprecated", Span::call_site())], item)
}

fn names_any(names: &[&Ident], tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => names.contains(&&ident),
        TokenTree::Group(group) => names_any(names, group.stream()),
        _ => false,
    })
}

/// The shape of an input type.
pub(crate) enum Shape {
    /// Nothing: a struct without fields.
    Null,
    /// The value of another type: a struct around one.
    Same {
        ty: Box<Type>,
        /// True if an attribute of serde says so, and not only the shape.
        is_transparent: bool,
        constraints: Constraints,
    },
    /// Unnamed fields.
    Tuple(Vec<Type>),
    /// Named fields.
    Object(Object),
    /// An enum without data.
    Choice(Vec<Variant>),
    /// An enum with data, or with a tag.
    Union {
        tagging: Tagging,
        variants: Vec<Variant>,
    },
}

/// Named fields, of a struct or a variant.
pub(crate) struct Object {
    pub(crate) fields: Vec<Field>,
    /// True if other keys are refused.
    pub(crate) closed: bool,
}

impl Object {
    /// Returns true if keys of another type are among those of the fields.
    pub(crate) fn has_flattened(&self) -> bool {
        self.fields.iter().any(|field| field.is_flattened)
    }
}

/// A field that a model may send.
pub(crate) struct Field {
    pub(crate) span: Span,
    /// Its name in the struct.
    pub(crate) member: Member,
    /// The key, as serde reads it.
    pub(crate) name: String,
    /// True if the key was given, and not made of the identifier.
    pub(crate) is_renamed: bool,
    /// Other keys that serde reads too.
    pub(crate) aliases: Vec<String>,
    pub(crate) ty: Type,
    pub(crate) description: Text,
    pub(crate) default: FieldDefault,
    /// True if serde writes the field only under a condition.
    pub(crate) is_skipped_at_times: bool,
    /// True if the keys of its type replace the key of the field.
    pub(crate) is_flattened: bool,
    pub(crate) constraints: Constraints,
}

impl Field {
    /// Returns true if the field has a value when its key is left out.
    pub(crate) fn has_default(&self) -> bool {
        !matches!(self.default, FieldDefault::None)
    }
}

/// The value of a field that is left out.
pub(crate) enum FieldDefault {
    /// No default is given, so the type decides: only an `Option` may be left out.
    None,
    /// The default of its type.
    OfType,
    /// The value that this function returns.
    Function(Box<ExprPath>),
    /// The field of this name, or at this place, in the default of the type that it is in.
    OfContainer(Member),
}

/// The way to distinguish variants, as serde names it.
pub(crate) enum Tagging {
    External,
    Internal { tag: String },
    Adjacent { tag: String, content: String },
    Untagged,
}

/// A variant that a model may send.
pub(crate) struct Variant {
    pub(crate) span: Span,
    /// The text, as serde reads it.
    pub(crate) name: String,
    /// Other texts that serde reads too.
    pub(crate) aliases: Vec<String>,
    pub(crate) description: Text,
    pub(crate) content: Content,
}

/// The data of a variant.
pub(crate) enum Content {
    None,
    Value(Box<Type>),
    Tuple(Vec<Type>),
    Object(Object),
}

/// The entries of a toolset.
pub(crate) struct Set {
    /// The path of the facade for generated code: `$crate`.
    pub(crate) root: TokenStream,
    pub(crate) entries: Vec<Entry>,
}

pub(crate) struct Entry {
    pub(crate) conditions: Vec<Attribute>,
    pub(crate) tool: Path,
}

/// An identifier without `r#`.
pub(crate) fn plain(ident: &Ident) -> String {
    syn::ext::IdentExt::unraw(ident).to_string()
}
