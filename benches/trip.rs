//! The tool that is measured, and the schemas of its types.

use std::hint::black_box;

use toolwright::{ToolInput, schema::Fuel, tool};

use super::types::{Cabin, Contact, Passenger};

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
#[allow(clippy::too_many_arguments)]
pub async fn book_trip(
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
