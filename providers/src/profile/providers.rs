//! The profiles of the providers.
//!
//! Each number and each rule names its source: the provider's documentation, the source of its own
//! SDK, or an error of the API that somebody quoted. Nothing here was tried against a live API.

use std::borrow::Cow;

use toolwright_core::tool::Strict;

use super::{
    Budget, Closing, Enums, Maps, Names, Nulls, Optional, PatternSupport, Profile, Recursion,
    Tuples, Untyped,
};

fn all(words: &[&'static str]) -> Vec<Cow<'static, str>> {
    words.iter().copied().map(Cow::Borrowed).collect()
}

const RANGES: [&str; 5] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
];
const FORMATS: [&str; 9] = [
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];
const NUMBER_FORMATS: [&str; 4] = ["float", "double", "int32", "int64"];
const OPENAI_NAMES: Names = Names::of("_-", 64);

impl Profile {
    /// Returns the profile for the `strict` rules of a tool, such as `strict = "openai"`.
    pub fn of(strict: Strict) -> Self {
        match strict {
            Strict::OpenAi => Self::openai_strict(),
            Strict::Anthropic => Self::anthropic_strict(),
            // Rules that are newer than this package: what all of them take.
            _ => Self::portable(),
        }
    }

    /// OpenAI without `strict`: the schema is shown to the model and not enforced.
    ///
    /// - Names of 1 to 64 letters, digits, `_` and `-`; 128 tools (openai-openapi, `FunctionObject`
    ///   and `tools`; "does not match pattern '^[a-zA-Z0-9_-]+$'").
    /// - The root is an object without `oneOf`, `anyOf`, `allOf`, `enum` and `not` (the error lists
    ///   these).
    pub fn openai() -> Self {
        Self {
            name: "openai".into(),
            strict: false,
            fallback: None,
            tool_names: OPENAI_NAMES,
            parameter_names: Names::ANY,
            max_description_chars: None,
            any_schema: true,
            keywords: Vec::new(),
            formats: Vec::new(),
            patterns: PatternSupport::All,
            max_bound: None,
            max_min_items: None,
            integer_ranges_only: false,
            one_constraint: false,
            optional: Optional::LeftOut,
            closing: Closing::AsWritten,
            maps: Maps::AsIs,
            tuples: Tuples::AsIs,
            untyped: Untyped::AsIs,
            nulls: Nulls::Union,
            enums: Enums::All,
            empty_texts_in_enums: true,
            constants: true,
            one_of: true,
            references: true,
            recursion: Recursion::AsIs,
            omit_empty: false,
            max_levels: None,
            large_enum: None,
            budget: Budget {
                tools: Some(128),
                ..Budget::default()
            },
        }
    }

    /// OpenAI with `strict: true`: the arguments fit the schema. Falls back to [`openai`](Self::openai).
    ///
    /// - Every member is required, and an optional one may be null; objects are closed
    ///   (openai-python, `lib/_pydantic.py`; structured outputs, "supported schemas").
    /// - `anyOf` below the root; "'oneOf' is not permitted", "'allOf' is not permitted".
    /// - Of the constraints: `pattern` without lookaround, `format` with nine values, ranges,
    ///   `multipleOf`, `minItems`, `maxItems`. Not lengths and `default` (openai-node's helper:
    ///   "maxLength is not permitted").
    /// - `$ref` without siblings, recursion included.
    /// - Maps become pairs, tuples objects, and untyped places JSON in a text, since none of these
    ///   can be said.
    /// - 5,000 members, 120,000 characters of names and values, 1,000 values of enums, 15,000
    ///   characters in an enum of more than 250; 10 levels, counted from the root to be careful, so
    ///   that 9 are used.
    pub fn openai_strict() -> Self {
        Self {
            name: "openai_strict".into(),
            strict: true,
            fallback: Some(Box::new(Self::openai())),
            any_schema: false,
            keywords: all(&[
                &RANGES[..],
                &["title", "pattern", "format", "minItems", "maxItems"],
            ]
            .concat()),
            formats: all(&FORMATS),
            patterns: PatternSupport::Plain,
            optional: Optional::Null,
            closing: Closing::Always,
            maps: Maps::Pairs,
            tuples: Tuples::Object,
            untyped: Untyped::JsonString,
            enums: Enums::Primitives,
            one_of: false,
            max_levels: Some(9),
            large_enum: Some((250, 15_000)),
            budget: Budget {
                tools: Some(128),
                properties: Some(5_000),
                enum_values: Some(1_000),
                chars: Some(120_000),
                ..Budget::default()
            },
            ..Self::openai()
        }
    }

    /// Anthropic without `strict`: the schema is shown to the model and not enforced.
    ///
    /// - Names of 1 to 128 letters, digits, `_` and `-`; names of parameters of 1 to 64, with `.`
    ///   too ("`tools.0.custom.name`: String should match pattern").
    /// - The root is an object: "`input_schema` does not support oneOf, allOf, or anyOf at the top
    ///   level".
    /// - "JSON schema is invalid. It must match JSON Schema draft 2020-12": older forms are
    ///   rewritten.
    pub fn anthropic() -> Self {
        Self {
            name: "anthropic".into(),
            tool_names: Names::of("_-", 128),
            parameter_names: Names::of("_.-", 64),
            budget: Budget::default(),
            ..Self::openai()
        }
    }

    /// Anthropic with `strict: true`. Falls back to [`anthropic`](Self::anthropic).
    ///
    /// - Objects are closed; no recursion; `$ref` without siblings; `enum` of primitives; `const`,
    ///   `anyOf`, `default`; `minItems` of 0 or 1; ten values of `format` (platform.claude.com,
    ///   structured outputs, "JSON Schema limitations").
    /// - No ranges, lengths, `maxItems`, `uniqueItems`; `pattern` goes into the description, as the
    ///   SDKs do (anthropic-python, `lib/_parse/_transform.py`). To send patterns add the keyword.
    /// - In a request 20 strict tools, 24 optional members, 16 unions. A member that may be left out
    ///   and be null counts twice, so that its null is not sent.
    pub fn anthropic_strict() -> Self {
        let formats = [&FORMATS[..], &["uri"]].concat();
        Self {
            name: "anthropic_strict".into(),
            strict: true,
            fallback: Some(Box::new(Self::anthropic())),
            any_schema: false,
            keywords: all(&["format", "minItems", "default"]),
            formats: all(&formats),
            patterns: PatternSupport::Plain,
            max_min_items: Some(1),
            optional: Optional::NeverNull,
            closing: Closing::Always,
            maps: Maps::Pairs,
            tuples: Tuples::Object,
            untyped: Untyped::JsonString,
            enums: Enums::Primitives,
            one_of: false,
            recursion: Recursion::Refused,
            budget: Budget {
                strict_tools: Some(20),
                optional: Some(24),
                unions: Some(16),
                ..Budget::default()
            },
            ..Self::anthropic()
        }
    }

    /// Gemini's `parameters`, a part of `OpenAPI`'s schemas.
    ///
    /// - Fields are those of `types.Schema` in google-genai 3.4.0; anything else is "Unknown name:
    ///   Cannot find field". So there is no `additionalProperties`, `const`, `$ref`, `oneOf`,
    ///   `allOf`, `exclusiveMinimum`, `uniqueItems`.
    /// - `enum` of texts that are not empty; `format` of texts is `enum` or `date-time` ("only 'enum'
    ///   and 'date-time' are supported for STRING type"), that of numbers `float`, `double`,
    ///   `int32`, `int64`.
    /// - `nullable: true`; lists have `items`; tuples are `anyOf` with a count.
    /// - Names begin with a letter or `_`, then letters, digits, `_`, `.`, `:`, `-`, 64 in all (an
    ///   error of 2025-11; the SDK says 128). Names of parameters: letters, digits and `_`.
    /// - A tool without parameters has none: an empty object was refused once.
    pub fn gemini() -> Self {
        Self {
            name: "gemini".into(),
            tool_names: Names::of("_.:-", 64).letter_first(),
            parameter_names: Names::of("_", 64).letter_first(),
            any_schema: false,
            keywords: all(&[
                "title",
                "minItems",
                "maxItems",
                "minProperties",
                "maxProperties",
                "minimum",
                "maximum",
                "minLength",
                "maxLength",
                "pattern",
                "format",
                "example",
                "default",
            ]),
            formats: all(&[&["enum", "date-time"], &NUMBER_FORMATS[..]].concat()),
            closing: Closing::Never,
            maps: Maps::Pairs,
            tuples: Tuples::Items,
            untyped: Untyped::JsonString,
            nulls: Nulls::Keyword,
            enums: Enums::Strings,
            empty_texts_in_enums: false,
            constants: false,
            one_of: false,
            references: false,
            recursion: Recursion::Refused,
            omit_empty: true,
            budget: Budget::default(),
            ..Self::openai()
        }
    }

    /// Gemini's `parametersJsonSchema`, from Gemini 2.5 on.
    ///
    /// - Keywords are those that google-genai 3.4.0 documents; others may be sent and are ignored, so
    ///   that they go into the description.
    /// - "Cyclic references are unrolled to a limited degree and, as such, may only be used within
    ///   non-required properties."
    /// - Beside `$ref` stands nothing. `enum` of texts and numbers.
    pub fn gemini_json_schema() -> Self {
        let formats = [&FORMATS[..], &["uri"], &NUMBER_FORMATS].concat();
        Self {
            name: "gemini_json_schema".into(),
            tool_names: Names::of("_.:-", 64).letter_first(),
            any_schema: false,
            keywords: all(&[
                "title", "minItems", "maxItems", "minimum", "maximum", "format",
            ]),
            formats: all(&formats),
            enums: Enums::StringsAndNumbers,
            constants: false,
            one_of: false,
            recursion: Recursion::BelowOptional,
            omit_empty: true,
            budget: Budget::default(),
            ..Self::openai()
        }
    }

    /// xAI, where strict is always on.
    ///
    /// - No circular `$ref`; `oneOf` is `anyOf`; `allOf` of one member; `additionalProperties`
    ///   "defaults to false and must be set to true explicitly" (docs.x.ai, structured outputs).
    /// - Lengths and counts gave a 502 in 2026-03 and are written into the description. Undocumented
    ///   features (tuples, maps with a schema, `pattern`) are not used.
    /// - Six values of `format` are documented; 128 tools (xai-sdk 1.21.0).
    pub fn xai() -> Self {
        Self {
            name: "xai".into(),
            any_schema: false,
            keywords: all(&["title", "minimum", "maximum", "format"]),
            formats: all(&["date", "time", "date-time", "email", "uuid", "ipv4"]),
            closing: Closing::OnlyOpen,
            maps: Maps::Pairs,
            tuples: Tuples::Object,
            untyped: Untyped::JsonString,
            one_of: false,
            recursion: Recursion::Refused,
            ..Self::openai()
        }
    }

    /// Mistral: names as OpenAI's ("maximum length 64"); which keywords are enforced is not
    /// documented, so that the schema is sent as it is.
    pub fn mistral() -> Self {
        Self {
            name: "mistral".into(),
            budget: Budget::default(),
            ..Self::openai()
        }
    }

    /// Groq: names as OpenAI's, 128 tools (groq 1.7.0); `minItems` was refused in 2025-10, which
    /// only `strict` models enforce, so that the schema is sent as it is.
    pub fn groq() -> Self {
        Self {
            name: "groq".into(),
            ..Self::openai()
        }
    }

    /// Ollama, which reads tools into structs (`api/types.go` at fb30760) and drops what has no
    /// field: constraints, `const`, `oneOf`, `$ref` in a property, `additionalProperties`. Arguments
    /// are not enforced, so that maps and tuples stay what they are, described in words.
    pub fn ollama() -> Self {
        Self {
            name: "ollama".into(),
            tool_names: Names::ANY,
            any_schema: false,
            closing: Closing::Never,
            maps: Maps::Described,
            tuples: Tuples::Items,
            constants: false,
            one_of: false,
            references: false,
            recursion: Recursion::Refused,
            budget: Budget::default(),
            ..Self::openai()
        }
    }

    /// Servers that make a grammar of the schema: llama.cpp, and what is built on it
    /// (`grammars/README.md`, `common/json-schema-to-grammar.cpp`).
    ///
    /// - Objects are closed unless `additionalProperties` is true.
    /// - Ranges of integers only; four values of `format`; tuples are broken, and so are references
    ///   inside references. Of `pattern`, `format` and lengths one is enforced.
    /// - Patterns from `^` to `$`, written in what it converts: characters, classes, groups, choices
    ///   and repetitions. Those that match what JSON escapes, as `.` does, are told in the
    ///   description: its grammar is one of JSON text and takes them wrongly.
    /// - Repetitions are written out: bounds above 1,000 are told in the description.
    pub fn grammar() -> Self {
        Self {
            name: "grammar".into(),
            tool_names: Names::ANY,
            any_schema: false,
            keywords: all(&[
                "title",
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "minLength",
                "maxLength",
                "pattern",
                "format",
                "minItems",
                "maxItems",
            ]),
            formats: all(&["date", "time", "date-time", "uuid"]),
            patterns: PatternSupport::Grammar,
            max_bound: Some(1_000),
            integer_ranges_only: true,
            one_constraint: true,
            closing: Closing::OnlyOpen,
            tuples: Tuples::Object,
            one_of: false,
            references: false,
            recursion: Recursion::Refused,
            budget: Budget::default(),
            ..Self::openai()
        }
    }

    /// Creates the profile that every provider accepts, strict ones among them: closed objects whose members
    /// are all required, enums of strings, `anyOf` below the root, references written out, five levels, names
    /// of letters, digits and `_`, descriptions of at most 1,024 characters. It has no fallback: it is for
    /// tools that shall be the same everywhere.
    ///
    /// Gemini's `parameters` take neither `additionalProperties` nor a list of types. For them, and
    /// for what one provider can do more, use the provider's own profile.
    pub fn portable() -> Self {
        Self {
            name: "portable".into(),
            strict: true,
            tool_names: Names::of("_-", 64).letter_first(),
            parameter_names: Names::of("_", 64).letter_first(),
            max_description_chars: Some(1_024),
            any_schema: false,
            optional: Optional::Null,
            closing: Closing::Always,
            maps: Maps::Pairs,
            tuples: Tuples::Object,
            untyped: Untyped::JsonString,
            enums: Enums::Strings,
            empty_texts_in_enums: false,
            constants: false,
            one_of: false,
            references: false,
            recursion: Recursion::Refused,
            max_levels: Some(5),
            ..Self::openai()
        }
    }
}
