//! `jiff`.

use jiff::{SignedDuration, Span, Timestamp, Zoned, civil};

use super::texts::{Formatted, formatted};

// The `time` of JSON Schema has an offset, and so has its `date-time`; its `duration` has days, which
// a `SignedDuration` does not take. What differs is described by a pattern.
formatted! {
    [] Timestamp: format = "date-time",
        "a date and time with an offset, such as \"2024-06-19T15:22:45Z\"";
    [] Zoned: pattern = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?([+-]([01][0-9]|2[0-3]):[0-5][0-9])?\[[A-Za-z0-9_+:/-]+\]$",
        "a date and time with an offset and a time zone, such as \"2024-06-19T15:22:45-04:00[America/New_York]\"";
    [] civil::Date: format = "date",
        "a date, such as \"2024-06-19\"";
    [] civil::Time: pattern = r"^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?$",
        "a time without an offset, such as \"15:22:45\"";
    [] civil::DateTime: pattern = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?$",
        "a date and time without an offset, such as \"2024-06-19T15:22:45\"";
    [] Span: format = "duration",
        "an ISO 8601 duration, such as \"P1DT2H30M\"";
    [] SignedDuration: pattern = r"^-?PT([0-9]+H([0-9]+M)?([0-9]+(\.[0-9]{1,9})?S)?|[0-9]+M([0-9]+(\.[0-9]{1,9})?S)?|[0-9]+(\.[0-9]{1,9})?S)$",
        "an ISO 8601 duration in hours, minutes and seconds, such as \"PT2H30M\"";
}
