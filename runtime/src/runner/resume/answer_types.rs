//! The types of answers that a runner knows when it resumes runs.

use crate::{
    Runner,
    runner::typed_answer::{AnswerType, TypedAnswer},
};
use toolwright_core::run::Run;

impl Runner {
    /// Returns a runner that knows a type of answers: a resumed run that began with [this
    /// type](crate::RunRequest::answer_as), or with one of the same schema, has its answers checked by it, as before.
    /// That is for runs that are resumed without [`answer_as`](crate::runner::ResumeRequest::answer_as), as
    /// [`recover`](Self::recover) and [`keep_recovering`](Self::keep_recovering) do: a log holds the schema, and no type.
    /// Call it once for each type.
    #[must_use = "the runner itself stays as it is"]
    pub fn with_answer_type<T: TypedAnswer>(&self) -> Self {
        let mut runner = self.clone();
        runner.answer_types.push(AnswerType::of::<T>());
        runner
    }

    /// The type of the answer of a run that is resumed without one, if this runner knows it.
    pub(super) fn answer_type_of(&self, run: &Run) -> Option<AnswerType> {
        let form = run.config().answer.as_ref()?;
        let mut types = self.answer_types.iter();
        let known = types.find(|known| known.schema().schema == form.schema.schema)?;
        Some(known.for_run())
    }
}
