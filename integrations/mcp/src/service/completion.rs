//! Completion of arguments: the values of an enum.

use rmcp::{
    ErrorData,
    model::{CompleteRequestParams, CompleteResult, CompletionInfo, Reference},
};
use toolwright_core::schema::Kind;

use super::{Served, fields};

impl Served {
    pub(crate) fn complete(
        &self,
        request: &CompleteRequestParams,
    ) -> Result<CompleteResult, ErrorData> {
        let (found, unknown) = match &request.r#ref {
            Reference::Prompt(prompt) => {
                let found = self.prompt(&prompt.name).map(|it| &it.fields);
                (found, format!("Unknown prompt: {}", prompt.name))
            }
            Reference::Resource(resource) => {
                let found = self.template(&resource.uri).map(|it| &it.fields);
                (
                    found,
                    format!("Unknown resource template: {}", resource.uri),
                )
            }
            _ => (None, "Unknown reference".to_owned()),
        };
        let fields = found.ok_or_else(|| ErrorData::invalid_params(unknown, None))?;
        let argument = &request.argument;
        let mut fields = fields.iter().filter(|field| field.name == argument.name);
        let mut values = match fields.next().map(|field| fields::value_of(field).kind) {
            Some(Kind::Choice(choices)) => {
                let names = choices.iter().map(|choice| choice.name);
                let names = names.filter(|name| name.starts_with(&*argument.value));
                names.map(ToOwned::to_owned).collect()
            }
            _ => Vec::new(),
        };
        let total = values.len();
        values.truncate(CompletionInfo::MAX_VALUES);
        let completion = CompletionInfo::with_pagination(
            values,
            u32::try_from(total).ok(),
            total > CompletionInfo::MAX_VALUES,
        );
        let completion = completion.map_err(|error| ErrorData::internal_error(error, None))?;
        Ok(CompleteResult::new(completion))
    }
}
