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

use std::hint::black_box;

use toolwright::{Tool, ToolInput, provider::openai_chat, schema::Fuel, tool, toolset};
use types::{BookTrip, Cabin, Contact, Passenger};

#[global_allocator]
static COUNTING: alloc::Counting = alloc::Counting;

/// One traveller.
#[derive(ToolInput)]
#[allow(dead_code)]
pub struct PassengerSchema {
    /// Full name as in the passport
    name: String,
    /// Age in years
    age: u8,
}

/// How to reach the booker.
#[derive(ToolInput)]
#[allow(dead_code)]
pub struct ContactSchema {
    /// E-mail address
    email: String,
    /// Phone number with country code
    phone: Option<String>,
}

#[derive(ToolInput)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code)]
pub enum CabinSchema {
    Economy,
    Premium,
    Business,
}

/// The schemas of the types that are measured, which stay as they are.
macro_rules! described {
    ($($measured:ty: $described:ty;)*) => {$(
        impl ToolInput for $measured {
            type Body<F: Fuel> = <$described as ToolInput>::Body<F>;
        }
    )*};
}

described! {
    Passenger: PassengerSchema;
    Contact: ContactSchema;
    Cabin: CabinSchema;
}

/// Book a trip.
#[tool]
async fn book_trip(
    /// City to travel to
    destination: String,
    /// City to depart from
    origin: Option<String>,
    /// Cabin class
    class: Cabin,
    /// Everyone travelling
    passengers: Vec<Passenger>,
    /// Upper limit in EUR
    budget: f64,
    /// Whether dates may move
    flexible: bool,
    /// Free-form labels
    tags: Vec<String>,
    /// How to reach the booker
    contact: Contact,
) {
    black_box((destination, origin, class, passengers));
    black_box((budget, flexible, tags, contact));
}

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
            black_box(openai_chat::tools(&tools));
        });
    }
    let text = tool.definition().input_schema.as_str();
    println!("\nThe schema has {} bytes.", text.len());
}
