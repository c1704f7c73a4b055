//! Examples and defaults that are known when the program is compiled, and keep what they have to.

use std::{borrow::Cow, num::NonZeroI8};

use toolwright::{__private::Format, ToolInput, tool, tools, toolset};

use super::{schema, text};

const MOST: u8 = 20;
const CITY: &str = "Oslo";
const DAY: &str = "2026-02-28";
const FEW: Few = Few(3);
static STEP: i64 = 2;

mod limits {
    pub(super) struct Limits;

    impl Limits {
        pub(super) const LEAST: u16 = 1;
    }
}

#[derive(Debug, Clone, Copy, serde::Deserialize, ToolInput)]
struct Few(#[tool(range(1..=5))] u8);

impl Default for Few {
    fn default() -> Self {
        FEW
    }
}

#[derive(Debug, Clone, Copy, Default, serde::Deserialize, ToolInput)]
enum Unit {
    #[default]
    Celsius,
}

type Number = u8;

/// Show the defaults.
#[tool]
fn defaults(
    #[tool(default = MOST, range(1..=20))] most: u8,
    #[tool(default = Some(limits::Limits::LEAST), range(1..))] least: Option<u16>,
    #[tool(default = MOST as u32, range(..21))] cast: u32,
    #[tool(default = STEP, range(1..))] step: i64,
    #[tool(default = CITY, length(4))] city: &str,
    #[tool(default = Some(DAY), format = "date")] day: Option<&str>,
    #[tool(default = "2026-02-28".to_owned(), format = "date")] owned: String,
    #[tool(default = Cow::Borrowed(CITY), length(4))] cow: Cow<'_, str>,
    #[tool(default = FEW, range(2..=4))] few: Few,
    #[tool(default, range(2..=4))] few_by_type: Few,
    #[tool(default = Unit::Celsius)] unit: Unit,
    #[tool(default = f64::INFINITY, range(0.0..))] limit: f64,
    #[tool(default, range(..5))] zero: Number,
    #[tool(default, length(..5))] none: Option<Vec<u8>>,
    #[tool(default = 1e38, range(-3e38..=3e38), example = 0.1)] small: f32,
    #[tool(example = -1)] not_zero: Option<NonZeroI8>,
) -> String {
    let _ = not_zero;
    format!(
        "{most} {least:?} {cast} {step} {city} {day:?} {owned} {cow} {} {} {unit:?} {limit} {zero} \
         {none:?} {small}",
        few.0, few_by_type.0
    )
}

struct Shop<const SIZE: usize>;

#[tools]
impl<const SIZE: usize> Shop<SIZE> {
    const MOST: u8 = 5;

    /// Show the defaults of a generic block.
    #[tool]
    fn generic(
        #[tool(default = Self::MOST, range(..9))] most: u8,
        #[tool(default = SIZE, range(1..))] size: usize,
    ) -> String {
        format!("{most} {size}")
    }
}

struct Plain;

#[tools]
impl Plain {
    const MOST: u8 = 5;

    /// Show the defaults of a block.
    #[tool]
    fn own(#[tool(default = Self::MOST, range(..9))] most: u8) -> String {
        most.to_string()
    }
}

#[test]
fn a_default_may_be_any_constant() {
    let shown = text(&toolset![defaults], "defaults", "{}");
    assert_eq!(
        shown,
        "20 Some(1) 20 2 Oslo Some(\"2026-02-28\") 2026-02-28 Oslo 3 3 Celsius inf 0 None \
         100000000000000000000000000000000000000"
    );
    assert_eq!(text(&Shop::<7>.into_tools(), "generic", "{}"), "5 7");
    assert_eq!(text(&Plain.into_tools(), "own", "{}"), "5");
}

/// Take a text of each format.
#[tool]
fn formats(
    #[tool(format = "date", example = "2024-02-29")] date: String,
    #[tool(format = "time", example = "23:59:60Z", example = "10:30:00.5+01:00")] time: String,
    #[tool(format = "date-time", example = "2026-01-31t10:30:00Z")] moment: String,
    #[tool(format = "duration", example = "P1DT12H", example = "P2W")] stay: String,
    #[tool(format = "email", example = "ada@example.com")] guest: String,
    #[tool(format = "hostname", example = "www.example.com")] host: String,
    #[tool(format = "ipv4", example = "127.0.0.1")] old: String,
    #[tool(format = "ipv6", example = "::ffff:1.2.3.4")] new: String,
    #[tool(format = "uri", example = "https://[::1]:80/a?b=c#d")] page: String,
    #[tool(format = "uuid", example = "67e55044-10b1-426f-9247-bb680e5fe0c8")] id: String,
    #[tool(example = "2026-02-28")] day: chrono::NaiveDate,
    #[tool(example = "10:30:00")] at: chrono::NaiveTime,
    #[tool(example = ["67e55044-10b1-426f-9247-bb680e5fe0c8"])] ids: Vec<uuid::Uuid>,
) {
    let _ = (
        date, time, moment, stay, guest, host, old, new, page, id, day, at, ids,
    );
}

#[test]
fn an_example_of_its_format_is_told() {
    assert!(schema(&toolset![formats]).contains(r#""examples":["2024-02-29"]"#));
}

#[test]
fn what_a_constant_says_of_an_address_is_what_std_says() {
    // Made of pieces, so that many are almost an address.
    let pieces = [
        ":",
        "::",
        "0",
        "1",
        "ffff",
        "12345",
        "1.2.3.4",
        "256.0.0.1",
        "01.2.3.4",
        "g",
        "%",
        "",
    ];
    let mut texts = vec![String::new()];
    for _ in 0..4 {
        let longer = texts
            .iter()
            .flat_map(|text| pieces.map(|piece| format!("{text}{piece}")));
        texts = longer.collect();
    }
    let eight: Vec<_> = (0..10).map(|count| "a:".repeat(count)).collect();
    for text in texts.iter().chain(&eight) {
        for text in [
            text.clone(),
            format!("{text}a"),
            format!("1:2:3:4:5:6{text}"),
        ] {
            let (v4, v6) = (
                text.parse::<std::net::Ipv4Addr>(),
                text.parse::<std::net::Ipv6Addr>(),
            );
            assert_eq!(Format::Ipv4.fits(&text), v4.is_ok(), "{text}");
            assert_eq!(Format::Ipv6.fits(&text), v6.is_ok(), "{text}");
        }
    }
}
