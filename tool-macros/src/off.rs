//! What the macros say in a program that has switched them off.

use proc_macro::TokenStream;

pub(super) fn function(_: TokenStream, _: &TokenStream) -> TokenStream {
    needs_feature("#[tool]")
}

pub(super) fn block(_: TokenStream, _: &TokenStream) -> TokenStream {
    needs_feature("#[tools]")
}

pub(super) fn input(_: TokenStream) -> TokenStream {
    needs_feature("#[derive(ToolInput)]")
}

pub(super) fn derived(_: TokenStream) -> TokenStream {
    needs_feature("#[derive(Tool)]")
}

pub(super) fn code(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

pub(super) fn set(_: TokenStream) -> TokenStream {
    needs_feature("toolset!")
}

/// The error, in the place of the item: rustc is silent about names that are missing beside it, and about what only the
/// macro reads, such as the marks of parameters.
fn needs_feature(form: &str) -> TokenStream {
    let error = format!(
        "::core::compile_error! {{ \"`{form}` needs the feature `macros` of toolwright, which is off: \
         write `features = [\\\"macros\\\"]` at this dependency in Cargo.toml\" }}"
    );
    error.parse().expect("it is a macro with a string")
}
