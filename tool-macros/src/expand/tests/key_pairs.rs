//! Every key and every pair of keys, wherever keys stand: it has an effect, or it is an error. `tests/expansions/key_pairs.md`
//! lists those that are errors.

use std::fmt::Write;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use super::{super as expand, check_file};

/// A place of keys: its name, and what is written there with these keys.
type Place = (&'static str, fn(&TokenStream) -> TokenStream);

const PLACES: [Place; 15] = [
    ("an `async` function", |keys| {
        expand::function(
            keys.clone(),
            &quote!(
                #[doc = "Say what time it is."]
                async fn now(zone: u8) {}
            ),
        )
    }),
    ("a function that blocks", |keys| {
        expand::function(
            keys.clone(),
            &quote!(
                #[doc = "Say what time it is."]
                fn now(zone: u8) {}
            ),
        )
    }),
    ("an `async` method", |keys| {
        let method = quote!(
            #[doc = "Say what time it is."]
            #[tool(#keys)]
            async fn now(&self, zone: u8) {}
        );
        expand::block(TokenStream::new(), &quote!(impl Clock { #method }))
    }),
    ("a method that blocks", |keys| {
        let method = quote!(
            #[doc = "Say what time it is."]
            #[tool(#keys)]
            fn now(&self, zone: u8) {}
        );
        expand::block(TokenStream::new(), &quote!(impl Clock { #method }))
    }),
    ("an `impl`", |keys| {
        let method = quote!(
            #[doc = "Say what time it is."]
            #[tool]
            fn now(&self) {}
        );
        expand::block(keys.clone(), &quote!(impl Clock { #method }))
    }),
    ("a struct", |keys| {
        expand::derived(quote!(
            #[doc = "Say what time it is."]
            #[tool(#keys)]
            struct Now {
                zone: u8,
            }
        ))
    }),
    ("a parameter", |keys| {
        let item = quote!(
            #[doc = "Say what time it is."]
            fn now(#[tool(#keys)] zone: Zone) {}
        );
        expand::function(TokenStream::new(), &item)
    }),
    ("a `#[context]` parameter", |keys| {
        let item = quote!(
            #[doc = "Say what time it is."]
            fn now(
                #[context]
                #[tool(#keys)]
                cx: &ToolContext,
            ) {
            }
        );
        expand::function(TokenStream::new(), &item)
    }),
    ("a type", |keys| {
        expand::input(quote!(
            #[tool(#keys)]
            struct Zone {
                hours: Hours,
            }
        ))
    }),
    ("a field", |keys| {
        expand::input(quote!(
            struct Zone {
                #[tool(#keys)]
                hours: Hours,
            }
        ))
    }),
    ("the field of a newtype", |keys| {
        expand::input(quote!(
            struct Zone(#[tool(#keys)] Hours);
        ))
    }),
    ("a field of a tuple", |keys| {
        expand::input(quote!(
            struct Zone(#[tool(#keys)] Hours, u8);
        ))
    }),
    ("a skipped field", |keys| {
        expand::input(quote!(
            struct Zone {
                #[serde(skip)]
                #[tool(#keys)]
                hours: Hours,
            }
        ))
    }),
    ("a flattened field", |keys| {
        expand::input(quote!(
            struct Zone {
                #[serde(flatten)]
                #[tool(#keys)]
                hours: Hours,
            }
        ))
    }),
    ("a variant", |keys| {
        expand::input(quote!(
            enum Zone {
                #[tool(#keys)]
                Here,
            }
        ))
    }),
];

/// The keys of a place, as its message for an unknown key lists them.
fn known(place: Place) -> Vec<String> {
    let mistakes = mistakes(&(place.1)(&quote!(zzzzzzzz)));
    let known = mistakes
        .iter()
        .find_map(|mistake| mistake.split_once("knows `"));
    let known = known.map(|(_, known)| known.trim_end_matches('`').split("`, `"));
    known.into_iter().flatten().map(ToOwned::to_owned).collect()
}

/// A key as it is written, with its value.
fn written(key: &str) -> TokenStream {
    let written = match key {
        "name" => "name = \"say_the_time\"",
        "description" => "description = \"Say which hour it is.\"",
        "title" => "title = \"Time\"",
        "timeout" => "timeout = \"5s\"",
        "retries" => "retries = 3",
        "rate_limit" => "rate_limit = \"30/min\"",
        "requires" => "requires(network)",
        "max_output" => "max_output = \"32KiB\"",
        "strict" => "strict = \"openai\"",
        "max_depth" => "max_depth = 4",
        "type" => "type = Time",
        "fn" => "fn = clocks",
        "crate" => "crate = other",
        "default" => "default = HERE",
        "range" => "range(1..=20)",
        "length" => "length(1..=80)",
        "pattern" => "pattern(\"^[a-z]+$\")",
        "format" => "format = \"email\"",
        "example" => "example = \"oslo\"",
        word => word,
    };
    written.parse().expect("these are tokens")
}

/// The messages of the mistakes in the code.
fn mistakes(code: &TokenStream) -> Vec<String> {
    let mut texts = Vec::new();
    let mut named = false;
    for token in code.clone() {
        if let TokenTree::Group(group) = &token {
            let text = syn::parse2::<syn::LitStr>(group.stream());
            match text {
                Ok(text) if named => texts.push(text.value()),
                _ => texts.extend(mistakes(&group.stream())),
            }
        }
        // A path, `!` and the group.
        named = match &token {
            TokenTree::Ident(name) => name == "compile_error",
            TokenTree::Punct(mark) => named && mark.as_char() == '!',
            _ => false,
        };
    }
    texts
}

/// Whether the keys of a line are known with the features of this build.
fn needs_no_feature(line: &str) -> bool {
    let schemars = line.contains("schemars") || line.contains("json_schema");
    (cfg!(feature = "schemars") || !schemars)
        && (cfg!(feature = "regex") || !line.contains("pattern"))
}

#[test]
fn every_pair_of_keys_has_an_effect_or_is_an_error() {
    let mut table = "# Pairs of keys that are errors\n\n\
        Written by the test `key_pairs`: a pair that is not listed has the effect of both keys. What only types can\n\
        decide, such as a `range` with a `length`, is no error here.\n"
        .to_owned();
    for place in PLACES {
        let (name, expand) = place;
        let known: Vec<_> = known(place)
            .into_iter()
            .filter(|key| needs_no_feature(key))
            .collect();
        let mut rows = String::new();
        for (index, first) in known.iter().enumerate() {
            let alone = mistakes(&expand(&written(first)));
            if !alone.is_empty() && first != "retries" {
                writeln!(rows, "| `{first}` | | {} |", alone.join(" / ")).expect("it is a string");
                continue;
            }
            let nothing = expand(&quote!()).to_string();
            assert!(
                expand(&written(first)).to_string() != nothing,
                "{name}: `{first}` has no effect"
            );
            for second in &known[index + 1..] {
                let (a, b) = (written(first), written(second));
                let pair = [first.as_str(), second];
                // What is run again has to say that it may be.
                let may_repeat = ["read_only", "idempotent"]
                    .iter()
                    .any(|key| pair.contains(key));
                let more = (pair.contains(&"retries") && !may_repeat).then(|| quote!(, idempotent));
                let both = expand(&quote!(#a, #b #more));
                let mistakes = mistakes(&both);
                if mistakes.is_empty() {
                    for alone in [a, b] {
                        let alone = expand(&quote!(#alone #more)).to_string();
                        assert!(
                            alone != both.to_string(),
                            "{name}: one of {pair:?} has no effect"
                        );
                    }
                } else if self::mistakes(&expand(&b)).is_empty() || *second == "retries" {
                    let mistakes = mistakes.join(" / ");
                    writeln!(rows, "| `{first}` | `{second}` | {mistakes} |")
                        .expect("it is a string");
                }
            }
        }
        write!(
            table,
            "\n## On {name}\n\n| Key | With | Says |\n| --- | --- | --- |\n{rows}"
        )
        .expect("it is a string");
    }
    check_file("key_pairs.md", &table, needs_no_feature);
}
