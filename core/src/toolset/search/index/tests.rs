use super::SearchIndex;
use crate::{Schema, tool::ToolDefinition};

fn definition(name: &'static str, description: &'static str, schema: &str) -> ToolDefinition {
    let schema = Schema::from_text(schema).expect("it is JSON");
    ToolDefinition::new(name, description, schema)
}

const NONE: &str = r#"{"type":"object"}"#;

fn found(definitions: &[ToolDefinition], text: &str) -> Vec<usize> {
    SearchIndex::of(definitions.iter()).search(text, 5)
}

#[test]
fn a_word_is_found_wherever_it_is() {
    let inner = r#"{"type":"object","properties":{"filters":{"type":"array","items":{"type":"object",
        "properties":{"postcode":{"type":"string","description":"of the customer","enum":["unknown"]}}}}}}"#;
    let all = [
        definition("send_mail", "Write to somebody.", NONE),
        definition("look_up", "Find persons.", inner),
    ];
    for text in [
        "person",
        "POSTCODE",
        "customers",
        "filter",
        "unknown",
        "look",
    ] {
        assert_eq!(found(&all, text), [1], "{text}");
    }
    assert_eq!(found(&all, "weather"), [0; 0]);
    assert_eq!(found(&all, ""), [0; 0]);
}

#[test]
fn a_word_that_begins_alike_is_found_behind_the_word_itself() {
    let all = [
        definition("photography_tips", "Tips.", NONE),
        definition("send_photo", "Send it.", NONE),
        definition("car_hire", "Hire one.", NONE),
    ];
    assert_eq!(found(&all, "photo"), [1, 0]);
    assert_eq!(found(&all, "photography"), [0, 1]);
    assert_eq!(found(&all, "cars"), [2]);
    // Three letters begin too many words.
    assert_eq!(found(&all, "pho"), [0; 0]);
    assert_eq!(found(&all, "caravan"), [0; 0]);
}

#[test]
fn a_name_says_more_than_a_description() {
    let all = [
        definition(
            "list_files",
            "List what an issue or an issue template links to.",
            NONE,
        ),
        definition("create_issue", "Report a bug.", NONE),
    ];
    assert_eq!(found(&all, "an issue"), [1, 0]);
}

#[test]
fn a_rare_word_says_more_than_a_common_one() {
    let mut all: Vec<_> = (0..20)
        .map(|_| definition("get_data", "Get data of the data base.", NONE))
        .collect();
    all.push(definition("get_tides", "Get tides.", NONE));
    assert_eq!(found(&all, "get data of tides")[0], 20);
}

#[test]
fn the_tool_that_is_named_comes_first() {
    let all = [
        definition(
            "search_code_search",
            "Search code, search and search again.",
            NONE,
        ),
        definition("search_code", "Look into files.", NONE),
    ];
    assert_eq!(found(&all, "call search_code now")[0], 1);
    let all = [
        definition("check", "Look at a thing.", NONE),
        definition("order_status", "Check the status of an order.", NONE),
    ];
    assert_eq!(found(&all, "check my order status")[0], 1);
    assert_eq!(found(&all, " check ")[0], 0);
}

#[test]
fn equal_ones_stay_in_order_and_the_rest_is_left_out() {
    let all: Vec<_> = (0..9).map(|_| definition("ping", "Pong.", NONE)).collect();
    assert_eq!(found(&all, "ping"), [0, 1, 2, 3, 4]);
}

#[test]
fn any_text_is_searched_for_in_bounded_time() {
    let all = [definition("ping", "Pong.", NONE)];
    let many: Vec<_> = (0..100_000).map(|number| format!("word{number}")).collect();
    let many = many.join(" ") + " last";
    for text in [
        many.as_str(),
        &"\u{1F600}".repeat(100_000),
        "\0\u{301}",
        &"é".repeat(9_000),
    ] {
        assert_eq!(found(&all, text), [0; 0]);
    }
    assert_eq!(found(&[], "ping"), [0; 0]);
    // The words of one definition are bounded as well.
    let long = definition("long", Box::leak(many.into_boxed_str()), NONE);
    assert_eq!(found(std::slice::from_ref(&long), "word1"), [0]);
    assert_eq!(found(&[long], "last"), [0; 0]);
}

#[test]
fn a_schema_that_contains_much_is_read_in_part() {
    let mut schema = r#"{"type":"string"}"#.to_owned();
    for _ in 0..60 {
        schema = format!(r#"{{"type":"object","properties":{{"deep":{schema}}}}}"#);
    }
    let all = [definition("ping", "Pong.", &schema)];
    assert_eq!(found(&all, "deep"), [0]);
}
