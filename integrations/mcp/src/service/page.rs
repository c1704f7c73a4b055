//! Lists in pages. A cursor is the name of the last item that was sent, so that a list that changes between two pages skips
//! and repeats nothing that stays.

use std::num::NonZeroUsize;

use rmcp::{ErrorData, model::PaginatedRequestParams};

/// Items of a page.
pub(crate) struct Page<'a, T> {
    pub(crate) items: &'a [T],
    pub(crate) next: Option<String>,
}

/// The page that a request asks for.
///
/// # Errors
///
/// When no item has the name of the cursor, or has it any more.
pub(crate) fn of<T>(
    items: &[T],
    size: NonZeroUsize,
    request: Option<PaginatedRequestParams>,
    name: impl Fn(&T) -> &str,
) -> Result<Page<'_, T>, ErrorData> {
    let begin = match request.and_then(|request| request.cursor) {
        None => 0,
        Some(cursor) => {
            let at = items.iter().position(|item| name(item) == cursor);
            let unknown = "the cursor is not known: read the list from its beginning";
            at.ok_or_else(|| ErrorData::invalid_params(unknown, None))? + 1
        }
    };
    let end = items.len().min(begin.saturating_add(size.get()));
    let items_of_page = &items[begin..end];
    let last = items_of_page.last().filter(|_| end < items.len());
    Ok(Page {
        items: items_of_page,
        next: last.map(|item| name(item).to_owned()),
    })
}
