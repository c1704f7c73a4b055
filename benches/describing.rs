//! What the definition of a tool and the `tools` array of a set allocate, the first time and later,
//! beside `schemars` for the same type.
//!
//! `cargo bench -p toolwright-benches --bench describing`

#[rustfmt::skip]
#[path = "measure/alloc.rs"]
#[allow(dead_code, clippy::all)]
mod alloc;
#[rustfmt::skip]
#[path = "measure/types.rs"]
#[allow(dead_code, clippy::all)]
mod types;

mod trip;

use std::hint::black_box;

use toolwright::{
    Tool,
    provider::{Codec, OpenAiChatCodec},
    toolset,
};
use trip::book_trip;
use types::BookTrip;

#[global_allocator]
static COUNTING: alloc::Counting = alloc::Counting;

fn main() {
    let tool = book_trip {};
    let row = |name: &str, work: &dyn Fn()| {
        let counted = alloc::count(work);
        println!("| {name} | {} | {} |", counted.calls, counted.bytes);
    };
    println!("| | allocations | bytes |");
    println!("| --- | --: | --: |");
    row("the definition, first", &|| {
        black_box(tool.definition());
    });
    row("the definition, later", &|| {
        black_box(tool.definition());
    });
    row("`schemars::schema_for!`", &|| {
        black_box(schemars::schema_for!(BookTrip));
    });
    let tools = toolset![book_trip];
    for name in ["the `tools` array, first", "the `tools` array, later"] {
        row(name, &|| {
            black_box(OpenAiChatCodec::new().tools(&tools));
        });
    }
    let text = tool.definition().input_schema.as_str();
    println!("\nThe schema has {} bytes.", text.len());
}
