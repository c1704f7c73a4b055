//! A place for what has been made of a list.

use std::{any::Any, sync::Arc};

use crate::mutex::Mutex;

/// What has been made of a list that does not change. It is no part of the list: nothing compares or stores it.
#[derive(Default)]
pub(super) struct Memo(Mutex<Option<Arc<dyn Any + Send + Sync>>>);

impl Memo {
    /// Returns what is kept, if it `fits`. Makes it otherwise, and keeps it in the place of another.
    pub(super) fn get<V: Any + Send + Sync>(
        &self,
        fits: impl FnOnce(&V) -> bool,
        make: impl FnOnce() -> V,
    ) -> Arc<V> {
        // Nothing of the caller runs under the lock.
        let kept = self.0.lock().clone();
        if let Some(kept) = kept.and_then(|kept| kept.downcast().ok())
            && fits(&kept)
        {
            return kept;
        }
        let new = Arc::new(make());
        let before = self.0.lock().replace(new.clone());
        drop(before);
        new
    }
}

#[cfg(test)]
mod tests {
    use super::super::SharedVec;

    #[test]
    fn what_was_made_is_kept_until_the_list_changes() {
        let mut list = SharedVec::from([1, 2]);
        let sum = |list: &SharedVec<i32>| *list.memo(|_| true, || list.iter().sum::<i32>());
        assert_eq!(sum(&list), 3);
        assert_eq!(*list.memo(|_: &i32| true, || -1), 3, "kept");
        assert_eq!(*list.clone().memo(|_: &i32| true, || -1), 3, "shared");
        assert_eq!(*list.memo(|sum| *sum > 3, || 4), 4, "does not fit");
        assert_eq!(
            *list.memo(|_: &String| true, || "5".to_owned()),
            "5",
            "of another type"
        );
        assert_eq!(sum(&list), 3);
        list.push(3);
        assert_eq!(sum(&list), 6);
        let other = list.clone();
        list.push(4);
        assert_eq!((sum(&list), sum(&other)), (10, 6));
        assert!(other.is_shared_with(&other.clone()) && !other.is_shared_with(&list));
        let empty = SharedVec::new();
        assert_eq!(
            (sum(&empty), empty.is_shared_with(&SharedVec::new())),
            (0, true)
        );
    }
}
