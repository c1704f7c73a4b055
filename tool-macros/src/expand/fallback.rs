//! Replacements for a declaration with mistakes, so that one mistake does not become ten.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Type, parse_quote};

use super::{
    block::{function, names},
    tool::{checks, hidden_type},
};
use crate::{
    check::{has_no_size, reference_in},
    model::{
        Block, Callable, Content, Field, FieldDefault, Input, Object, Root, Rule, Shape, Tagging,
        doubtful, is_doubtful, is_foreign, names_a_parameter,
    },
};

/// Creates the expression that replaces the work of a tool with a half typed signature. It is never run. If rustc can
/// read more than syn, it fails when code is generated for it.
fn nobody() -> TokenStream {
    let message = "this signature cannot be read: write it in another way, or call it from a function \
                   that is marked `#[tool]`";
    quote!(const { ::core::panic!(#message) })
}

/// A tool that `toolset!` takes and nobody runs.
pub(super) fn tool(callable: &Callable) -> TokenStream {
    let tool = &callable.tool;
    let (hidden, hidden_type) = hidden_type(callable);
    let (root, conditions) = (&tool.root, &tool.conditions);
    let p = quote!(#root::__private);
    let name = tool.ident.to_string();
    let checks = checks(callable, |_| true);
    let import = root.import();
    let nobody = nobody();
    quote! {
        #hidden
        #checks
        #(#conditions)*
        const _: () = {
            #import
            #[automatically_derived]
            impl #p::StaticTool for #hidden_type {
                const NAME: &'static ::core::primitive::str = #name;
                const DESCRIPTION: &'static ::core::primitive::str = "";
                fn input() -> &'static #p::Node { #nobody }
                fn tool() -> #p::Arc<dyn #p::Tool> { #nobody }
            }
        };
    }
}

/// A function that gives no tools, and the checks of those methods that can be checked.
pub(super) fn block(block: &Block) -> TokenStream {
    let function = function(block, &nobody());
    let checks = block_checks(block);
    let import = block.root.import();
    quote! {
        const _: () = {
            #import
            #function
            #checks
        };
    }
}

/// The checks of those methods that can be checked.
fn block_checks(block: &Block) -> TokenStream {
    let names = names(block);
    let is_known = |ty: &Type| block.own_name_in(ty).is_none();
    let methods = block.methods.iter();
    let checks = methods.map(|method| checks(method, is_known));
    quote!(#names #(#checks)*)
}

/// A struct that `toolset!` takes and nobody runs.
pub(super) fn derived(item: &DeriveInput, root: &Root) -> TokenStream {
    let input = input(item, root);
    let import = root.import();
    let ident = &item.ident;
    let name = ident.to_string();
    let (implementation, arguments, conditions) = item.generics.split_for_impl();
    let p = quote!(#root::__private);
    // A tool is `'static`, and one that borrows is a mistake that has been reported.
    let tool = item.generics.params.is_empty().then(|| {
        quote! {
            const _: () = {
                #import
                #[automatically_derived]
                impl #implementation #p::StaticTool for #ident #arguments #conditions {
                    const NAME: &'static ::core::primitive::str = #name;
                    const DESCRIPTION: &'static ::core::primitive::str = "";
                    fn input() -> &'static #p::Node { ::core::unreachable!() }
                    fn tool() -> #p::Arc<dyn #p::Tool> { ::core::unreachable!() }
                }
            };
        }
    });
    quote!(#input #tool)
}

/// Puts a `bool` in the place of each type that cannot be described, and takes away constraints that say nothing
/// there. Each is a mistake that has been reported; the rest of the type is described as it is.
pub(super) fn parts(input: &mut Input) {
    let generics = input.generics.clone();
    let is_open = |ty: &Type| names_a_parameter(&generics, ty);
    match &mut input.shape {
        Shape::Null | Shape::Choice(_) => {}
        Shape::Same {
            ty, constraints, ..
        } => {
            if is_open(ty) || replaced(ty) {
                constraints.all.clear();
            }
        }
        Shape::Tuple(types) => types.iter_mut().for_each(|ty| _ = replaced(ty)),
        Shape::Object(object) => fields(object, is_open),
        Shape::Union { tagging, variants } => {
            for variant in variants {
                // Beside a tag only keys can stand, and nothing is known of these.
                if let (Tagging::Internal { .. }, Content::Value(ty)) =
                    (&*tagging, &mut variant.content)
                    && (is_foreign(ty) || replaced(ty))
                {
                    variant.content = Content::None;
                }
                match &mut variant.content {
                    Content::None => {}
                    Content::Value(ty) => _ = replaced(ty),
                    Content::Tuple(types) => types.iter_mut().for_each(|ty| _ = replaced(ty)),
                    Content::Object(object) => {
                        fields(object, is_open);
                        if let Tagging::Untagged = tagging {
                            object.fields.iter_mut().for_each(keep_examples);
                        }
                    }
                }
            }
        }
    }
}

fn fields(object: &mut Object, is_open: impl Fn(&Type) -> bool) {
    for field in &mut object.fields {
        // The keys of a type that schemars describes are not known.
        if field.is_flattened && is_foreign(&field.ty) {
            field.ty = doubtful();
        }
        if replaced(&mut field.ty) {
            field.is_flattened = false;
            field.default = FieldDefault::None;
            field.constraints.all.clear();
        } else if is_open(&field.ty) {
            field.constraints.all.clear();
        }
    }
}

fn keep_examples(field: &mut Field) {
    let all = &mut field.constraints.all;
    all.retain(|constraint| matches!(constraint.rule, Rule::Example(_)));
}

/// Replaces a type that is doubtful, has no size or contains a reference. Returns true if it did.
fn replaced(ty: &mut Type) -> bool {
    let is_replaced = is_doubtful(ty) || has_no_size(ty) || reference_in(ty).is_some();
    if is_replaced {
        *ty = parse_quote!(::core::primitive::bool);
    }
    is_replaced
}

/// `Deserialize` for a type of which serde's derive writes none. It is never run.
pub(super) fn decoding(item: &DeriveInput, root: &Root) -> TokenStream {
    let (ident, import) = (&item.ident, root.import());
    let (_, arguments, conditions) = item.generics.split_for_impl();
    let mut generics = item.generics.clone();
    generics.params.insert(0, parse_quote!('__de));
    let (implementation, _, _) = generics.split_for_impl();
    let p = quote!(#root::__private);
    quote! {
        const _: () = {
            #import
            #[automatically_derived]
            impl #implementation #p::Deserialize<'__de> for #ident #arguments #conditions {
                fn deserialize<__D: #p::Deserializer<'__de>>(
                    _: __D,
                ) -> #p::Result<Self, __D::Error> {
                    ::core::unreachable!()
                }
            }
        };
    }
}

/// A description that says nothing.
pub(super) fn input(item: &DeriveInput, root: &Root) -> TokenStream {
    let ident = &item.ident;
    let (implementation, arguments, conditions) = item.generics.split_for_impl();
    let p = quote!(#root::__private);
    let import = root.import();
    quote! {
        const _: () = {
            #import
            #[automatically_derived]
            impl #implementation #p::ToolInput for #ident #arguments #conditions {
                type Body<__F: #p::Fuel> = <::core::primitive::bool as #p::ToolInput>::Body<__F>;
            }
        };
    }
}
