//! Times as they are stored: in whole milliseconds since 1970.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Deserializer, Serializer, de::Error};

/// Writes a time as whole milliseconds since 1970.
///
/// # Errors
///
/// Errors of the serialiser.
pub fn serialize<S: Serializer>(at: &SystemTime, serializer: S) -> Result<S::Ok, S::Error> {
    // A clock that stands before 1970 is none.
    let since = at.duration_since(UNIX_EPOCH).unwrap_or_default();
    serializer.serialize_u64(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// Reads a time in whole milliseconds since 1970.
///
/// # Errors
///
/// Errors of the deserialiser, and a time that a clock cannot show.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SystemTime, D::Error> {
    let since = Duration::from_millis(u64::deserialize(deserializer)?);
    let at = UNIX_EPOCH.checked_add(since);
    at.ok_or_else(|| D::Error::custom("the time is beyond what a clock can show"))
}

/// The same of a time that may be missing.
pub(crate) mod optional {
    use std::time::SystemTime;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// A time as it is stored.
    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    struct Millis(#[serde(with = "super")] SystemTime);

    #[expect(clippy::ref_option, reason = "serde passes it")]
    pub(crate) fn serialize<S: Serializer>(
        at: &Option<SystemTime>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        at.map(Millis).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<SystemTime>, D::Error> {
        let at = Option::<Millis>::deserialize(deserializer)?;
        Ok(at.map(|Millis(at)| at))
    }
}

/// The time in whole milliseconds.
pub fn now() -> SystemTime {
    let now = SystemTime::now();
    let since = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    let more = Duration::from_nanos(u64::from(since.subsec_nanos() % 1_000_000));
    now.checked_sub(more).unwrap_or(now)
}
