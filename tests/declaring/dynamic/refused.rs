//! What the builder refuses, all of it at once.

use std::ops::Bound;

use serde_json::{Value, json};
use toolwright::{
    ToolError,
    dynamic::{DynamicTool, DynamicToolBuilder, Parameter},
    tool::ToolHints,
};

#[track_caller]
fn check(builder: DynamicToolBuilder, expected: &[&str]) {
    let result = builder.build(async |_, _| Ok::<_, ToolError>(()));
    let error = result.expect_err("a rule is broken");
    let violations: Vec<_> = error.violations().iter().map(ToString::to_string).collect();
    assert_eq!(violations, expected);
}

/// The violations of one parameter, without the place.
#[track_caller]
fn check_parameter(parameter: Parameter, expected: &[&str]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|text| format!("arguments.x: {text}"))
        .collect();
    let expected: Vec<_> = expected.iter().map(String::as_str).collect();
    check(builder().required("x", parameter), &expected);
}

const REVERSED: std::ops::RangeInclusive<i32> = std::ops::RangeInclusive::new(5, 1);

fn builder() -> DynamicToolBuilder {
    DynamicTool::builder("find", "Find whatever there is.")
}

#[test]
fn one_error_lists_every_violation() {
    let range = Parameter::object()
        .required("start", Parameter::integer().range(REVERSED))
        .required("start", Parameter::string().range(1..=2));
    let builder = DynamicTool::builder("Get-Weather", "Too short")
        .title(" ")
        .hints(
            ToolHints::NONE
                .with_read_only(true)
                .with_destructive(true)
                .with_idempotent(false),
        )
        .required("range", range)
        .optional("", Parameter::choice(["a", "b", "a"]));
    let result = builder.build(async |_, _| Ok::<_, ToolError>(()));
    let error = result.expect_err("rules are broken");
    assert_eq!(error.tool(), "Get-Weather");
    assert_eq!(
        error.to_string(),
        "the definition of the tool `Get-Weather` breaks the rules\n  \
         name: a tool's name is in snake_case, of `a` to `z`, digits and `_`, starts with a letter \
         and has 1 to 64 characters: write one such as `get_weather`\n  \
         description: the description has 9 characters, 10 to 500 are needed: tell the model what \
         the tool does and when to call it\n  \
         title: the title is empty: write a name for people, or none\n  \
         hints: a tool that only reads destroys nothing: remove one of the two hints\n  \
         hints: a tool that only reads changes nothing, also the second time: remove one of the two \
         hints\n  \
         arguments.range.start: no number is in the range: write the lower bound first\n  \
         arguments.range: duplicate key `start`: rename or remove one\n  \
         arguments.range.start: a range applies to numbers only: remove it\n  \
         arguments: the name of a key is empty: give it one\n  \
         arguments[\"\"]: duplicate choice \"a\": remove one"
    );
}

#[test]
fn a_constraint_that_nothing_fits_is_refused() {
    let empty = ["no number is in the range: write the lower bound first"];
    check_parameter(Parameter::integer().range(1..1), &empty);
    check_parameter(Parameter::number().range(1.0..1.0), &empty);
    check_parameter(Parameter::number().range(REVERSED), &empty);
    let between = (Bound::Excluded(1), Bound::Excluded(2));
    check_parameter(Parameter::integer().range(between), &empty);
    let between = (Bound::Excluded(1.0), Bound::Excluded(2.0));
    check_parameter(Parameter::integer().range(between), &empty);
    let no_number = ["a bound of the range is not a number: write a number"];
    check_parameter(Parameter::number().range(f64::NAN..), &no_number);
    check_parameter(Parameter::number().range("a".."b"), &no_number);
    let fraction = ["the bound 0.5 of an integer is not whole: write a whole number"];
    check_parameter(Parameter::integer().range(0.5..), &fraction);
    let count = ["the range of the count is empty: write the lower bound first"];
    check_parameter(Parameter::string().length(..0), &count);
    check_parameter(Parameter::array(Parameter::any()).items(3..3), &count);
    let nothing = ["the choice is empty: give at least one string"];
    check_parameter(Parameter::choice([""; 0]), &nothing);
}

#[test]
fn a_constraint_of_another_type_is_refused() {
    check_parameter(
        Parameter::boolean()
            .range(1..)
            .length(1..)
            .pattern("a")
            .format("date")
            .items(1..)
            .required("a", Parameter::any()),
        &[
            "a range applies to numbers only: remove it",
            "a length applies to strings only: remove it",
            "a pattern applies to strings only: remove it",
            "a format applies to strings only: remove it",
            "a number of items applies to arrays only: remove it",
            "keys belong to objects only: remove it",
        ],
    );
}

#[test]
fn defaults_and_examples_are_values_that_are_allowed() {
    let refused = |parameter: Parameter, value: Value| {
        let message = format!("arguments.x: the default {value} is not an allowed value");
        check(
            builder().optional("x", parameter.default(value)),
            &[&message],
        );
    };
    refused(Parameter::integer().range(1..=5), json!(6));
    refused(Parameter::integer(), json!(1.5));
    refused(Parameter::number().range(0.0..1.0), json!(1));
    refused(Parameter::string().length(..=2), json!("abc"));
    refused(Parameter::choice(["a"]), json!("b"));
    refused(Parameter::boolean(), json!(null));
    refused(
        Parameter::array(Parameter::string()).items(..=1),
        json!(["a", "b"]),
    );
    refused(Parameter::array(Parameter::string()), json!([1]));
    refused(
        Parameter::object().required("a", Parameter::any()),
        json!({}),
    );
    refused(Parameter::object(), json!({"a": 1}));
    check_parameter(
        Parameter::string().example(1),
        &["the example 1 is not an allowed value"],
    );
}

#[test]
fn a_default_is_for_what_may_be_left_out() {
    check_parameter(
        Parameter::string().default("a"),
        &["a required parameter has a default: make it optional, or remove the default"],
    );
}

#[test]
fn defaults_and_examples_match_patterns_and_formats() {
    let none = |what: &str| format!("{what} is not an allowed value");
    for (parameter, value) in [
        (Parameter::string().pattern("^a$"), json!("b")),
        (Parameter::string().format("date"), json!("tomorrow")),
        (
            Parameter::array(Parameter::string().pattern("^a$")),
            json!(["a", "b"]),
        ),
    ] {
        let message = format!("arguments.x: {}", none(&format!("the default {value}")));
        check(
            builder().optional("x", parameter.clone().default(value.clone())),
            &[&message],
        );
        let example = none(&format!("the example {value}"));
        check_parameter(parameter.example(value), &[&example]);
    }
    let fits = Parameter::string().pattern("^a$").default("a").example("a");
    let built = builder().optional("x", fits);
    assert!(built.build(async |_, _| Ok::<_, ToolError>(())).is_ok());
}

#[test]
fn every_pattern_that_is_no_pattern_is_refused_in_its_place() {
    let pattern = |pattern: &str| Parameter::string().pattern(pattern);
    let told = |place: &str, pattern: &str| {
        format!(
            "{place}: the pattern `{pattern}` has look-around or a reference to a group, is too \
             large, or is not a valid regular expression: correct it"
        )
    };
    let parts = Parameter::array(Parameter::object().required("c", pattern("a**{")));
    check(
        DynamicTool::builder(
            "find",
            " \u{a0}\u{a0}\u{a0}\u{a0}\u{a0}\u{a0}\u{a0}\u{a0}\u{a0}\u{a0}\u{a0}\u{a0}",
        )
        .required("a", pattern("(a").example("b"))
        .required("parts", parts)
        .required("b", pattern("[b"))
        .required("d", pattern("^(?!x)")),
        &[
            "description: the description has 0 characters, 10 to 500 are needed: tell the model \
             what the tool does and when to call it",
            &told("arguments.a", "(a"),
            &told("arguments.parts[].c", "a**{"),
            &told("arguments.b", "[b"),
            &told("arguments.d", "^(?!x)"),
        ],
    );
}

#[test]
fn a_format_that_nothing_checks_for_is_refused() {
    for format in ["dat", "idn-email", ""] {
        let message = format!(
            "unknown format `{format}`: write one of `date`, `date-time`, \
             `duration`, `email`, `hostname`, `ipv4`, `ipv6`, `iri`, `iri-reference`, \
             `json-pointer`, `regex`, `relative-json-pointer`, `time`, `uri`, `uri-reference`, \
             `uri-template`, `uuid`"
        );
        check_parameter(Parameter::string().format(format), &[&message]);
    }
}

#[test]
fn arguments_have_ten_levels() {
    let nested = |levels: usize| {
        let inner = (1..levels).fold(Parameter::string(), |inner, _| {
            Parameter::object().required("x", inner)
        });
        builder().required("x", inner)
    };
    let built = nested(10).build(async |_, _| Ok::<_, ToolError>(()));
    assert!(built.is_ok());
    let place = ["arguments", &".x".repeat(10)].concat();
    let too_deep = "the arguments have more than 10 levels: flatten the objects on the way";
    check(nested(11), &[&format!("{place}: {too_deep}")]);
    // Deeper than any stack.
    let lists = (0..1_000_000).fold(Parameter::any(), |inner, _| Parameter::array(inner));
    let result = builder()
        .required("x", lists)
        .build(async |_, _| Ok::<_, ToolError>(()));
    assert!(
        result
            .expect_err("it is too deep")
            .to_string()
            .contains(too_deep)
    );
}
