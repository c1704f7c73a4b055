//! Whose server was recorded.

use toolwright::provider::Vendor;

use crate::record::Record;

/// The row of the server's vendor. That of one that has none is OpenAI's, as it is for a user who sets
/// the address alone.
pub(super) fn of(record: &Record) -> Vendor {
    let plain = |name: &str| name.to_lowercase().replace([' ', '.', '-'], "");
    let name = match record.vendor.as_str() {
        "ollama-cloud" => "ollama",
        name => name,
    };
    let mut rows = Vendor::ALL.iter().copied();
    let row = rows.find(|vendor| plain(vendor.name()) == plain(name));
    row.unwrap_or(Vendor::OPENAI)
}
