//! What the macros write, beside what they are given: `tests/expansions/`.
//!
//! `UPDATE_EXPANSIONS=1 cargo test -p toolwright-macros` writes the files anew.

mod key_pairs;

use std::{env, fs, path::Path};

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::quote;

fn check(name: &str, expansion: TokenStream) {
    let file = syn::parse2(expansion).expect("the expansion is Rust");
    let code = prettyplease::unparse(&file);
    check_file(&format!("{name}.rs"), &code, |_| true);
}

/// Compares a text with a file, as far as its lines are kept.
fn check_file(name: &str, text: &str, keeps: fn(&str) -> bool) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/expansions")
        .join(name);
    if env::var_os("UPDATE_EXPANSIONS").is_some() {
        fs::write(&path, text).expect("the folder is there");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    let expected = expected.lines().filter(|line| keeps(line));
    let is_same = text.lines().filter(|line| keeps(line)).eq(expected);
    assert!(is_same, "{} differs:\n{text}", path.display());
}

#[test]
fn an_async_tool() {
    let item = quote! {
        /// Get the current weather for a city.
        pub async fn get_weather(
            /// City and country.
            city: String,
            #[tool(default = 5)] days: u8,
            #[context] cx: &ToolContext,
        ) -> Result<Weather, ToolError> {
            todo!()
        }
    };
    let keys = quote!(
        idempotent,
        timeout = "5s",
        rate_limit("30/min", fail),
        requires(network, PAYMENTS),
        approval
    );
    check("async_tool", super::function(keys, &item));
}

#[test]
fn a_blocking_tool() {
    let item = quote! {
        #[cfg(unix)]
        fn now() {}
    };
    let keys = quote!(name = "time", description = NOW, type = Now, crate = other);
    check("blocking_tool", super::function(keys, &item));
}

#[test]
fn a_struct() {
    check(
        "struct",
        super::input(quote! {
            /// A page of results.
            #[serde(rename_all = "camelCase")]
            struct Page<T> {
                /// What is on it.
                items: Vec<T>,
                #[serde(default)]
                next_page: u32,
            }
        }),
    );
}

#[test]
fn an_enum() {
    check(
        "enum",
        super::input(quote! {
            enum Unit {
                /// Degrees Celsius.
                Celsius,
                #[serde(rename = "f")]
                Fahrenheit,
            }
        }),
    );
}

#[test]
fn a_mistake() {
    let item = quote! {
        fn get_weather(city: String) -> String {
            city
        }
    };
    check("mistake", super::function(quote!(nam = "x"), &item));
}

#[test]
fn a_set() {
    let expression = super::set(quote!((::toolwright) first, #[cfg(unix)] other::second));
    check("set", quote!(const SET: Toolset = #expression;));
}

#[test]
fn a_block() {
    let item = quote! {
        impl<D: Db> Shop<D> {
            /// Find products by name.
            #[tool]
            async fn find_products(&self, words: String) -> Vec<Product> {
                todo!()
            }
            #[cfg(unix)]
            #[tool(description = HOURS)]
            fn hours() {}
            fn other(&self) {}
        }
    };
    check("block", super::block(TokenStream::new(), &item));
}

#[test]
fn a_derived_tool() {
    let item = quote! {
        /// Search the documentation, best first.
        #[tool(crate = other)]
        struct SearchDocs {
            query: String,
        }
    };
    check("derived_tool", super::derived(item));
}

/// What stands before the place of each token, with all delimiters closed.
fn prefixes(tokens: &TokenStream) -> Vec<TokenStream> {
    let mut all = vec![TokenStream::new()];
    let mut before = TokenStream::new();
    for token in tokens.clone() {
        if let TokenTree::Group(group) = &token {
            for inner in prefixes(&group.stream()) {
                let group = TokenTree::Group(Group::new(group.delimiter(), inner));
                all.push(before.clone().into_iter().chain([group]).collect());
            }
        }
        before.extend([token]);
        all.push(before.clone());
    }
    all
}

/// Whether a mark of a parameter, or of a method, is left in the code.
fn has_marks(code: TokenStream) -> bool {
    let mut hash_before = false;
    code.into_iter().any(|token| {
        let is_attribute = hash_before;
        hash_before = matches!(&token, TokenTree::Punct(mark) if mark.as_char() == '#');
        let TokenTree::Group(group) = token else {
            return false;
        };
        let first = group
            .stream()
            .into_iter()
            .next()
            .map(|token| token.to_string());
        let is_mark = matches!(first.as_deref(), Some("tool" | "context"));
        is_attribute && is_mark || has_marks(group.stream())
    })
}

fn check_half_typed(code: &TokenStream, prefix: &TokenStream) {
    let errors = code.to_string().matches("compile_error").count();
    assert!(errors <= 1, "{errors} errors of `{prefix}`: {code}");
    assert!(
        !has_marks(code.clone()),
        "marks are left of `{prefix}`: {code}"
    );
}

#[test]
fn a_function_that_is_half_typed_leaves_a_tool_behind() {
    let function = quote! {
        /// Get the current weather for a city.
        #[inline]
        pub(crate) async fn get_weather<'a>(
            /// City and country.
            #[tool(length(1..=80), example = "Oslo")] city: &'a str,
            #[tool(default = 5, range(1..=9))] days: Option<Vec<u8>>,
            #[tool(default)] at: (Option<(u8, u8)>, [[u8; 2]; 3]),
            #[tool(length(1..))] all: &[(u8, String)],
            #[context] cx: &ToolContext,
            #[context] db: Extension<HashMap<String, Arc<Db>>>,
        ) -> Result<HashMap<String, Vec<Weather>>, ToolError>
        where
            'a: 'a,
        {
            todo!()
        }
    };
    let description = quote!(description = "Get the weather.");
    for prefix in prefixes(&function) {
        let code = super::function(description.clone(), &prefix);
        check_half_typed(&code, &prefix);
        let code = code.to_string();
        if prefix.to_string().contains("fn get_weather") {
            for left in [
                "struct get_weather",
                "StaticTool for get_weather",
                "fn get_weather",
            ] {
                assert!(code.contains(left), "`{prefix}` leaves no `{left}`: {code}");
            }
        }
    }
}

#[test]
fn a_block_that_is_half_typed_gives_its_tools() {
    let block = quote! {
        impl<D: Db> Shop<D> {
            const LIMIT: u8 = 3;
            /// Find products by name.
            #[tool(read_only)]
            async fn find(&self, #[tool(length(1..))] words: Vec<String>, #[tool(default)] at: [(u8, u8); 2], #[context] cx: &ToolContext) -> (Vec<u8>, [u8; 2]) {
                todo!()
            }
            #[tool(description = "Say when the shop is open.")]
            pub fn hours(&self, #[tool(default)] day: Option<u8>) -> Result<String, ToolError> {}
            fn other(&self) -> u8 { 1 }
        }
    };
    for prefix in prefixes(&block) {
        let code = super::block(TokenStream::new(), &prefix);
        check_half_typed(&code, &prefix);
        if prefix.to_string().contains('{') {
            let code = code.to_string();
            assert!(code.contains("fn into_tools"), "`{prefix}`: {code}");
        }
    }
}

#[test]
fn a_struct_that_is_half_typed_is_the_compilers_to_report() {
    let item = quote! {
        /// Search the documentation, best first.
        #[tool(name = "search_docs")]
        struct SearchDocs {
            #[tool(length(1..))]
            query: Vec<String>,
        }
    };
    for prefix in prefixes(&item) {
        for code in [super::derived(prefix.clone()), super::input(prefix.clone())] {
            assert!(
                code.to_string().matches("compile_error").count() <= 2,
                "{prefix}: {code}"
            );
        }
    }
}

/// What is said where the facade was built without the feature.
#[cfg(not(feature = "schemars"))]
#[test]
fn schemars_is_a_feature() {
    let function = quote! {
        /// Say where a point is.
        fn locate(#[tool(schemars)] point: Point) {}
    };
    let item = quote! {
        #[tool(json_schema)]
        struct Point {
            #[tool(schemars)]
            x: X,
        }
    };
    for (code, key) in [
        (super::function(TokenStream::new(), &function), "schemars"),
        (super::input(item.clone()), "json_schema"),
        (super::input(item), "schemars"),
    ] {
        let code = code.to_string();
        let message = format!("`{key}` needs the feature `schemars`");
        assert_eq!(code.matches(&message).count(), 1, "{code}");
    }
}
