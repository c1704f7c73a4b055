//! What the macros write, beside what they are given: `tests/expansions/`.
//!
//! `UPDATE_EXPANSIONS=1 cargo test -p toolwright-macros` writes the files anew.

use std::{env, fs, path::Path};

use proc_macro2::TokenStream;
use quote::quote;

fn check(name: &str, expansion: TokenStream) {
    let file = syn::parse2(expansion).expect("the expansion is Rust");
    let code = prettyplease::unparse(&file);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/expansions/{name}.rs"));
    if env::var_os("UPDATE_EXPANSIONS").is_some() {
        fs::write(&path, &code).expect("the folder is there");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(code == expected, "{} differs:\n{code}", path.display());
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
