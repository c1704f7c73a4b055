//! What the other packages use of this crate beside what that publishes: most of it the runtime. It promises nothing
//! to anybody else.

pub use crate::{
    arguments::{
        answer::{about_text, check_answer, decode_answer},
        of_call,
    },
    conversation::{change::Change, not_executed},
    dynamic::{
        form_check::{check_answer as check_form, defect},
        output_check::OutputCheck,
    },
    error::CODE,
    message::digest::digest,
    model::checked_texts::{ANSWER, CheckedText, checked_texts, is_unseen},
    model::emitter::{Emitter, emitted},
    model::response::REQUEST_IDS,
    mutex::Mutex,
    panics::{Caught, Payload, caught, text_of},
    run::{
        approval::{DENIED, MAX_QUESTIONS, denied},
        context::tokens_of,
        counted::counted,
        stopping::TIME_IS_UP,
    },
    schema::wrapped_answer::AnswerRoot,
    testing::difference::between as difference,
    tool::context::{
        CallPlace,
        call_driver::CallDriver,
        drawn_id::DrawnId,
        extensions::Extensions,
        parts::{BatchContext, ContextParts},
    },
    toolset::{is_name, redefined::redefined},
};

/// Times in whole milliseconds.
pub mod millis {
    pub use crate::millis::{deserialize, now, serialize};
}
