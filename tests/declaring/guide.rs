//! The tables of the guide against what they are tables of, its order, and the files for assistants.

mod assistants;
mod failures;
mod order;
mod pictures;

use serde_json::Value;
use toolwright::{
    model::{ModelRequest, ModelSettings},
    provider::{Codec, EncodeInput, OpenAiChatCodec, Vendor},
};

const MODELS: &str = include_str!("../../src/guide/models.md");

/// The rows of the table of vendors, as cells.
fn rows() -> Vec<Vec<&'static str>> {
    let table = MODELS.split("| Vendor |").nth(1).expect("there is one");
    let rows = table.lines().skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

#[test]
fn every_vendor_is_in_the_guide_with_its_key() {
    let rows = rows();
    assert_eq!(rows.len(), Vendor::ALL.len());
    for (row, vendor) in rows.iter().zip(Vendor::ALL) {
        let needed = if vendor.needs_key() {
            ""
        } else {
            ", not needed"
        };
        let key = format!("`{}`{needed}", vendor.key_variable());
        assert_eq!((row[0], row[1]), (vendor.name(), key.as_str()));
    }
}

#[test]
fn what_is_sent_in_its_own_way_is_said() {
    let settings = ModelSettings::new().with_max_output_tokens(9).with_seed(7);
    let request = ModelRequest::new([]).with_settings(settings);
    for (row, vendor) in rows().iter().zip(Vendor::ALL) {
        let body = OpenAiChatCodec::of(*vendor)
            .encode(EncodeInput::new("m", &request))
            .expect("is written");
        let body: Value = serde_json::from_slice(&body).expect("is JSON");
        for field in ["max_tokens", "random_seed"] {
            let said = row[2].contains(&format!("`{field}`"));
            assert_eq!(body.get(field).is_some(), said, "{}: {field}", row[0]);
        }
    }
}

#[test]
fn code_of_the_page_for_front_ends_is_that_of_its_example() {
    let page = include_str!("../../src/guide/front_ends.md");
    let example = [
        include_str!("../../examples/react-chat/src/parts.ts"),
        include_str!("../../examples/react-chat/src/chat.tsx"),
    ];
    let blocks: Vec<_> = page.split("```ts\n").skip(1).collect();
    assert_eq!(blocks.len(), 5);
    for block in blocks {
        let code = block.split("```").next().unwrap_or_default();
        assert!(example.iter().any(|file| file.contains(code)), "{code}");
    }
}
