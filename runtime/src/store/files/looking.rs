//! Looks for what somebody waits for.

use super::{
    inbox,
    log::State,
    place::{Place, RunFolder},
    turns::locked,
};
use crate::{
    run::RunId,
    store::{RunStatus, StoreError},
};

impl Place {
    /// Looks for an item after this place; `None` if there is one. If there is none, it gives what the log says, for the
    /// next look.
    ///
    /// # Errors
    ///
    /// When there is none, and none will come.
    pub(super) fn look_for_item(
        &self,
        run: &RunId,
        after: u64,
        known: Option<State>,
    ) -> Result<Option<State>, StoreError> {
        let folder = self.run(run);
        // A gate stands where an item would, and is none.
        let items = inbox::items(&self.disk, &folder.inbox(), after);
        if !items.map_err(|error| folder.named(error))?.is_empty() {
            return Ok(None);
        }
        let state = folder.current(known)?;
        if state.is_over() {
            return Err(StoreError::over(run));
        }
        Ok(Some(state))
    }

    /// Looks for an entry at this place; `None` if there is one, or if the run is not open. If there is none, it gives
    /// what the log says, for the next look.
    pub(super) fn look_for_entry(
        &self,
        run: &RunId,
        from: u64,
        known: Option<State>,
    ) -> Result<Option<State>, StoreError> {
        let state = self.run(run).current(known)?;
        let has_news = state.entries > from || state.status != RunStatus::Open;
        Ok((!has_news).then_some(state))
    }
}

impl RunFolder<'_> {
    /// What the log says now. Of one that is known, only what was added is read.
    fn current(&self, known: Option<State>) -> Result<State, StoreError> {
        let info = self.info()?;
        let known = known.or_else(|| locked(&self.place.states).get(self.run).cloned());
        let state = match known.filter(|known| known.birth == info.birth) {
            Some(known) => self.refreshed(known).map_err(|error| self.named(error))?,
            None => None,
        };
        let mut state = state.map_or_else(|| self.state(None), Ok)?;
        state.birth = info.birth;
        Ok(state)
    }
}
