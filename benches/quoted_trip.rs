//! The tool that is measured from text to text: it answers with a quote.

use toolwright::tool;

use super::types::{self, BookTrip, Cabin, Contact, Passenger, Quote};

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
) -> Quote {
    types::book(BookTrip {
        destination,
        origin,
        class,
        passengers,
        budget,
        flexible,
        tags,
        contact,
    })
    .await
}
