//! Pages of a list that is in order.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::store::Page;

/// The page of a list after this place. Each item has a key that says where it stands; `items` is in the order of the
/// keys, the greatest first.
pub(super) fn page<T>(
    items: impl IntoIterator<Item = (String, T)>,
    after: Option<&str>,
    limit: usize,
) -> Page<T> {
    let mut rest = items
        .into_iter()
        .skip_while(|(key, _)| after.is_some_and(|after| key.as_str() >= after));
    let (mut page, mut last) = (Vec::new(), None);
    for (key, item) in rest.by_ref().take(limit.max(1)) {
        page.push(item);
        last = Some(key);
    }
    let next = rest.next().and(last);
    Page::new(page, next)
}

/// A key by a time and an id. Later ones are greater.
pub(super) fn key(at: SystemTime, id: &str) -> String {
    let since = at.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    format!("{:024}:{id}", since.as_micros())
}
