//! The tool that is measured with arguments that it borrows: its types, and one that answers with a quote.

use std::{borrow::Cow, hint::black_box};

use toolwright::{ToolInput, tool};

use super::types::Cabin;

#[derive(serde::Deserialize, ToolInput)]
pub struct Text<'a>(#[serde(borrow)] pub Cow<'a, str>);

/// One traveller.
#[derive(serde::Deserialize, ToolInput)]
pub struct Traveller<'a> {
    /// Full name as in the passport
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    /// Age in years
    pub age: u8,
}

/// How to reach the booker.
#[derive(serde::Deserialize, ToolInput)]
pub struct Address<'a> {
    /// E-mail address
    #[serde(borrow)]
    pub email: Cow<'a, str>,
    /// Phone number with country code
    #[serde(borrow)]
    pub phone: Option<Text<'a>>,
}

/// A quote that borrows from the arguments.
#[derive(serde::Serialize)]
pub struct Quote<'a> {
    route: &'a str,
    total: f64,
    seats: usize,
    confirmed: bool,
}

/// Book a trip.
#[tool(name = "borrowed")]
#[allow(clippy::too_many_arguments)]
pub async fn quote_borrowed<'a>(
    /// City to travel to
    destination: &'a str,
    /// City to depart from
    origin: Option<&str>,
    /// Cabin class
    class: Cabin,
    /// Everyone travelling
    passengers: &[Traveller<'_>],
    /// Upper limit in EUR
    budget: f64,
    /// Whether dates may move
    flexible: bool,
    /// Free-form labels
    tags: &[Text<'_>],
    /// How to reach the booker
    contact: &Address<'_>,
) -> Quote<'a> {
    let phone = contact.phone.as_ref().map(|phone| &phone.0);
    black_box((origin, tags, &contact.email, phone));
    Quote {
        route: destination,
        total: budget * 0.9,
        seats: passengers.len(),
        confirmed: flexible && class != Cabin::Economy,
    }
}
