//! `chrono`.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeZone};

use super::texts::{Formatted, formatted};

// The `time` of JSON Schema has an offset, and so has its `date-time`: a format without one is
// described by a pattern. A leap second is written as the second 60.
formatted! {
    [Tz: TimeZone] DateTime<Tz>: format = "date-time",
        "a date and time with an offset, such as \"2024-06-19T15:22:45Z\"";
    [] NaiveDate: format = "date",
        "a date, such as \"2024-06-19\"";
    [] NaiveTime: pattern = r"^([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]{1,9})?$",
        "a time without an offset, such as \"15:22:45\"";
    [] NaiveDateTime: pattern = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]{1,9})?$",
        "a date and time without an offset, such as \"2024-06-19T15:22:45\"";
}
