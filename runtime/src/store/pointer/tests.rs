use futures_util::FutureExt;

use super::*;
use crate::store::{InboxContent, RunInfo, StoreErrorKind};

/// Answers each method by an error with its name.
struct Named;

macro_rules! name {
    ($store:ident: $(fn $method:ident($($name:ident: $type:ty),*) -> $output:ty;)*) => {
        #[expect(clippy::elidable_lifetime_names, reason = "most methods need it for more than `self`")]
        impl Store for $store {
            $(fn $method<'a>(&'a self, $(_: $type),*) -> BoxFuture<'a, Result<$output, StoreError>> {
                let error = StoreError::new(StoreErrorKind::Unavailable, stringify!($method));
                Box::pin(async { Err(error) })
            })*
        }
    };
}

every_method! { name! Named }

/// The methods that the trait declares.
fn declared() -> Vec<&'static str> {
    let source = include_str!("../../store.rs");
    let (_, methods) = source.split_once("pub trait Store").expect("it is there");
    let methods = methods
        .lines()
        .filter_map(|line| line.strip_prefix("    fn "));
    methods
        .filter_map(|line| line.split(['<', '(']).next())
        .collect()
}

/// The names of the methods that answer, where each method is called.
fn reached(store: &dyn Store) -> Vec<String> {
    macro_rules! call {
        ($($method:ident($($argument:expr),*))*) => {
            vec![$(match store.$method($($argument),*).now_or_never() {
                Some(Err(error)) => error.message,
                Some(Ok(_)) | None => concat!("a default of ", stringify!($method)).to_owned(),
            }),*]
        };
    }
    let (run, time, all) = (RunId::new("1"), Duration::from_secs(1), Scope::All);
    let lease = Lease::new(run.clone(), 1, SystemTime::UNIX_EPOCH);
    let conversation = ConversationId::new("1");
    let new = NewRun::new(
        RunInfo::new(run.clone(), "1", SystemTime::UNIX_EPOCH),
        Vec::new(),
    );
    let item = InboxItem::new(InboxContent::Cancel);
    let version = ConversationVersion::new(1, "");
    call! {
        create(&new, time)
        lease(all, &run, time)
        renew(&lease, time)
        release(&lease)
        append(&lease, &Append::new(1, Vec::new()))
        load(all, &run, 1)
        list(all, &RunFilter::default())
        put(all, &run, &item)
        inbox(all, &run, 0)
        wait_for_inbox(all, &run, 0)
        wait_for_entries(all, &run, 1)
        abandon(all, &run)
        conversation(all, &conversation, 0, None)
        save_conversation(all, &conversation, &version)
        conversations(all, None, 1)
        delete_run(all, &run)
        delete_with_below(all, &run)
        delete_conversation(all, &conversation)
        delete_before(SystemTime::UNIX_EPOCH)
    }
}

#[tokio::test]
async fn every_method_reaches_the_store_behind_a_pointer() {
    let boxed: Box<dyn Store> = Box::new(Named);
    let shared: Arc<dyn Store> = Arc::new(Named);
    assert_eq!(reached(&boxed), declared());
    assert_eq!(reached(&shared), declared());
    assert_eq!(reached(&Arc::new(boxed)), declared());
}
