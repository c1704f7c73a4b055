use super::ConversationVersion;
use crate::store::StoreErrorKind;
use toolwright_core::{Conversation, ModelResponse};

/// A conversation of so many turns, after each of them.
fn turns(count: usize) -> Vec<Conversation> {
    let mut conversation = Conversation::new().with_system("Be brief.");
    let turn = |number| {
        conversation.push_user(format!("Question {number:03}?"));
        conversation.push_response(ModelResponse::from_text(format!("Answer {number:03}.")));
        conversation.clone()
    };
    (0..count).map(turn).collect()
}

/// Each of them as the version that follows the one before.
fn versions(conversations: &[Conversation]) -> Vec<ConversationVersion> {
    let mut before = Conversation::new();
    let following = |(version, now): (u64, &Conversation)| {
        let stored = ConversationVersion::following(&before, version, now);
        before = now.clone();
        stored.expect("a conversation is written")
    };
    (1..).zip(conversations).map(following).collect()
}

#[test]
fn versions_are_the_conversation_at_each_of_them() {
    let all = turns(20);
    let stored = versions(&all);
    assert_eq!(
        ConversationVersion::join(&[]).expect("none"),
        Conversation::new()
    );
    for (count, conversation) in (1..).zip(&all) {
        let joined = ConversationVersion::join(&stored[..count]);
        assert_eq!(&joined.expect("versions are joined"), conversation);
    }
}

#[test]
fn the_bytes_of_a_hundred_turns_are_linear() {
    let stored = versions(&turns(100));
    let bytes: Vec<_> = stored.iter().map(|version| version.text.len()).collect();
    let (early, late) = (bytes[1], bytes[99]);
    // The number of messages that it shares grows by two digits.
    assert!(
        late <= early + 2,
        "turn 2 took {early} bytes, and turn 100 took {late}"
    );
    let sum: usize = bytes.iter().sum();
    assert!(sum < 100 * 400, "100 turns took {sum} bytes");
}

#[test]
fn a_version_may_go_back() {
    let all = turns(3);
    let stored = versions(&[all[2].clone(), all[0].clone(), all[1].clone()]);
    let joined = ConversationVersion::join(&stored).expect("versions are joined");
    assert_eq!(joined, all[1]);
}

#[test]
fn versions_that_are_not_all_of_it_are_refused() {
    let stored = versions(&turns(3));
    let cut = ConversationVersion::new(2, &stored[1].text[..9]);
    let newer = stored[1]
        .text
        .replacen("\"version\":1", "\"version\":99", 1);
    assert_ne!(newer, stored[1].text);
    let newer = ConversationVersion::new(2, newer);
    let far = ConversationVersion::new(2, stored[1].text.replacen("\"keep\":2", "\"keep\":3", 1));
    assert_ne!(far, stored[1]);
    let first = || stored[0].clone();
    for (versions, kind, says) in [
        (
            vec![first(), stored[2].clone()],
            StoreErrorKind::Corrupt,
            "version 2 is missing",
        ),
        (
            vec![stored[1].clone()],
            StoreErrorKind::Corrupt,
            "version 1 is missing",
        ),
        (
            vec![first(), first()],
            StoreErrorKind::Corrupt,
            "version 2 is missing",
        ),
        (
            vec![first(), cut],
            StoreErrorKind::Corrupt,
            "version 2 of the conversation",
        ),
        // All but the version may be different in a newer form.
        (
            vec![ConversationVersion::new(1, r#"{"version":2,"turns":[]}"#)],
            StoreErrorKind::Newer,
            "version 2",
        ),
        (
            vec![first(), newer],
            StoreErrorKind::Newer,
            "version 2 of the conversation",
        ),
        (
            vec![first(), far],
            StoreErrorKind::Corrupt,
            "shares 3 messages",
        ),
    ] {
        let error = ConversationVersion::join(&versions).expect_err("it is refused");
        assert_eq!(error.kind, kind, "{error}");
        assert!(error.message.contains(says), "{error}");
    }
}

#[test]
fn the_agent_of_a_conversation_is_part_of_each_version() {
    let plain = turns(1).remove(0);
    let with = |name: &str| plain.clone().with_agent(name);
    let all = [plain.clone(), with("billing"), with("main")];
    let stored = versions(&all);
    assert!(!stored[0].text.contains("agent"), "{}", stored[0].text);
    for (count, conversation) in (1..).zip(&all) {
        let joined = ConversationVersion::join(&stored[..count]);
        assert_eq!(&joined.expect("versions are joined"), conversation);
    }
}
