//! An `impl` block marked `#[tools]`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{
    Attribute, Generics, ImplItem, Token, Type, braced,
    parse::{Parse, ParseStream},
    token,
};

use super::{
    field_types::without_self,
    function::Function,
    half_typed,
    keys::{Keys, Position},
    mark::is_mark,
    misplaced,
};
use crate::{
    errors::Errors,
    model::{self, DefaultValue, Root, Rule, Source},
};

/// A block whose method bodies were not looked at.
pub(crate) struct Block {
    attributes: Vec<Attribute>,
    unsafety: Option<Token![unsafe]>,
    keyword: Token![impl],
    generics: Generics,
    /// The trait before `for`.
    of_trait: Option<(Type, Token![for])>,
    self_ty: Type,
    braces: token::Brace,
    inner_attributes: Vec<Attribute>,
    items: Vec<Item>,
}

enum Item {
    Function(Box<Function>),
    Other(Box<ImplItem>),
    /// Tokens that cannot be read.
    Unknown(TokenStream),
}

impl Parse for Block {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let unsafety = input.parse()?;
        let keyword = input.parse()?;
        let mut generics: Generics = if input.peek(Token![<]) {
            input.parse()?
        } else {
            Generics::default()
        };
        let mut self_ty = input.parse()?;
        let mut of_trait = None;
        if let Some(keyword) = input.parse()? {
            of_trait = Some((self_ty, keyword));
            self_ty = input.parse()?;
        }
        generics.where_clause = input.parse()?;
        let content;
        let braces = braced!(content in input);
        let inner_attributes = content.call(Attribute::parse_inner)?;
        let mut items = Vec::new();
        while !content.is_empty() {
            items.push(content.parse()?);
        }
        Ok(Self {
            attributes,
            unsafety,
            keyword,
            generics,
            of_trait,
            self_ty,
            braces,
            inner_attributes,
            items,
        })
    }
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if Function::parse_method(&input.fork()).is_ok() {
            return Function::parse_method(input)
                .map(Box::new)
                .map(Self::Function);
        }
        if input.fork().parse::<ImplItem>().is_ok() {
            return input.parse().map(Box::new).map(Self::Other);
        }
        let tokens = half_typed::item(input)?;
        let function = Function::half_typed(tokens.clone());
        Ok(function.map_or_else(
            || Self::Unknown(misplaced::without_mark(tokens)),
            |function| Self::Function(Box::new(function)),
        ))
    }
}

impl Block {
    /// Returns true if one of the methods is half typed.
    pub(crate) fn is_half_typed(&self) -> bool {
        self.items.iter().any(|item| match item {
            Item::Function(function) => function.is_half_typed(),
            Item::Unknown(_) => true,
            Item::Other(_) => false,
        })
    }

    /// Reads the tools. The attributes that are ours are taken away from the methods.
    pub(crate) fn tools(&mut self, arguments: TokenStream, errors: &mut Errors) -> model::Block {
        let mut keys = Keys::new(Position::BLOCK);
        keys.read(arguments, errors);
        let root = keys.root(errors);
        let function = keys.function(errors);
        let mut methods = Vec::new();
        let again = self.names_again();
        for (place, item) in self.items.iter_mut().enumerate() {
            match item {
                Item::Function(function) => {
                    let method = function.method(&root, errors);
                    // The compiler says so, and what is written of it would speak of the first.
                    methods.extend(method.filter(|_| !again.contains(&place)));
                }
                Item::Other(item) => refuse_mark(item, &root, errors),
                Item::Unknown(_) => {}
            }
        }
        if let Some((_, keyword)) = &self.of_trait {
            let message = "`#[tools]` stands on the own `impl` of a type, not on that of a trait: \
                           call the trait from a method of the type";
            errors.at(keyword, message);
        }
        if methods.is_empty() && again.is_empty() && !self.is_half_typed() {
            let message = "no method of this `impl` is a tool: mark one `#[tool]`";
            errors.at(self.keyword, message);
        }
        let mut block = model::Block {
            generics: self.generics.clone(),
            self_ty: self.self_ty.clone(),
            root,
            function: function.unwrap_or_else(|| Ident::new("into_tools", Span::call_site())),
            names_deprecated: methods.iter().any(|method| method.names_deprecated),
            methods: Vec::new(),
        };
        for method in &mut methods {
            for parameter in &mut method.parameters {
                free_default(&mut parameter.source, &block);
                free_constraints(&mut parameter.source, &block, errors);
            }
        }
        block.methods = methods;
        block
    }
}

impl Block {
    /// The places of those functions that have the name of one before. Under conditions there may be one.
    fn names_again(&self) -> Vec<usize> {
        let mut names = Vec::new();
        let mut again = Vec::new();
        for (place, item) in self.items.iter().enumerate() {
            if let Item::Function(function) = item {
                let conditions = ["cfg", "cfg_attr"];
                let is_condition = |attribute: &Attribute| {
                    conditions
                        .iter()
                        .any(|name| attribute.path().is_ident(name))
                };
                if function.attributes().iter().any(is_condition) {
                    continue;
                }
                if names.contains(&function.ident()) {
                    again.push(place);
                }
                names.push(function.ident());
            }
        }
        again
    }
}

/// Writes `Self` out in a default, where that says the same, and notes where it cannot stand outside of the
/// block.
fn free_default(source: &mut Source, block: &model::Block) {
    let Source::Argument {
        default: DefaultValue::Expression { value, is_free },
        ..
    } = source
    else {
        return;
    };
    let own = &block.self_ty;
    let is_one_type = block.generics.params.is_empty();
    if is_one_type && let Ok(written) = syn::parse2(without_self(quote!(#value), &quote!(#own))) {
        **value = written;
    }
    *is_free = !block.names_own(quote!(#value));
}

/// Does the same in constraints, which cannot differ between the types that a block stands for.
fn free_constraints(source: &mut Source, block: &model::Block, errors: &mut Errors) {
    let Source::Argument { constraints, .. } = source else {
        return;
    };
    let own = &block.self_ty;
    let is_one_type = block.generics.params.is_empty();
    constraints.all.retain_mut(|constraint| {
        let values = match &mut constraint.rule {
            Rule::Range(limits) | Rule::Length(limits) => {
                limits.start.iter_mut().chain(&mut limits.end).collect()
            }
            Rule::Example(value) => vec![value],
            Rule::Pattern { .. } | Rule::Format { .. } => Vec::new(),
        };
        let mut is_free = true;
        for value in values {
            if is_one_type && let Ok(written) = syn::parse2(without_self(quote!(#value), &quote!(#own))) {
                *value = written;
            }
            if block.names_own(quote!(#value)) {
                let message = "a constraint is the same for every type of the block: write the value, or a \
                               constant outside of the `impl`";
                errors.at(value, message);
                is_free = false;
            }
        }
        is_free
    });
}

/// A constant or a type is no tool.
fn refuse_mark(item: &mut ImplItem, root: &Root, errors: &mut Errors) {
    let attributes = match item {
        ImplItem::Const(item) => &mut item.attrs,
        ImplItem::Type(item) => &mut item.attrs,
        ImplItem::Macro(item) => &mut item.attrs,
        _ => return,
    };
    for mark in attributes.extract_if(.., |attribute| is_mark(attribute, root)) {
        errors.at(
            mark,
            "`#[tool]` in an `impl` stands on a method: move it there, or remove it",
        );
    }
}

impl ToTokens for Block {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self {
            attributes,
            unsafety,
            keyword,
            generics,
            of_trait,
            self_ty,
            braces,
            inner_attributes,
            items,
        } = self;
        let conditions = &generics.where_clause;
        let of_trait = of_trait
            .as_ref()
            .map(|(of_trait, keyword)| quote!(#of_trait #keyword));
        // rustc shows there where a type parameter could be declared, in the errors of a type that is not
        // found, and the generated code names the types too: without it the errors are the same, and one.
        let keyword = Token![impl](keyword.span.resolved_at(Span::call_site()));
        tokens.extend(quote! {
            #(#attributes)*
            #unsafety #keyword #generics #of_trait #self_ty #conditions
        });
        braces.surround(tokens, |tokens| {
            tokens.extend(quote!(#(#inner_attributes)* #(#items)*));
        });
    }
}

impl ToTokens for Item {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Function(function) => function.to_tokens(tokens),
            Self::Other(item) => item.to_tokens(tokens),
            Self::Unknown(item) => item.to_tokens(tokens),
        }
    }
}
