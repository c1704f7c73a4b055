//! What stands for the keeper of runs where there are no stores: a value that nobody can make.

use std::future::Ready;

use crate::{
    UserMessage,
    run::{PendingCall, Record, Run, StoreError},
    runner::control::Inbox,
    tool::CancellationToken,
};

pub(super) enum Keeper {}

pub(super) enum NewKeeper {}

pub(super) enum Watch {}

/// An item of an inbox.
#[derive(Debug, Clone, Copy)]
pub(super) enum Received {}

impl Keeper {
    pub(super) fn hold(&mut self, _: Vec<Record>) {
        match *self {}
    }

    pub(super) fn is_settled(&self) -> bool {
        match *self {}
    }

    pub(super) fn write(&mut self, _: &Run) -> Ready<Result<(u64, Vec<Record>), StoreError>> {
        match *self {}
    }

    pub(super) fn suspend(
        &mut self,
        _: &Run,
        _: Vec<PendingCall>,
    ) -> Ready<Result<bool, StoreError>> {
        match *self {}
    }

    pub(super) fn put_cancel(&self) -> Ready<Result<(), StoreError>> {
        match *self {}
    }

    pub(super) fn written(&self) -> usize {
        match *self {}
    }

    pub(super) fn inbox(&self) -> Ready<Result<Vec<Received>, StoreError>> {
        match *self {}
    }

    pub(super) fn unheard(&self) -> Ready<Vec<UserMessage>> {
        match *self {}
    }

    pub(super) fn watch(&self) -> Watch {
        match *self {}
    }
}

impl Watch {
    pub(super) fn unless_lost<T>(
        self,
        _: Inbox,
        _: CancellationToken,
        _: impl Future<Output = T>,
    ) -> Ready<Result<T, StoreError>> {
        match self {}
    }
}
