use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use rmcp::{
    ServiceError,
    model::{
        CallToolRequestParams, CallToolResponse, ElicitationAction, ErrorCode,
        GetPromptRequestParams, ReadResourceRequestParams,
    },
    service::ClientServiceExt,
    transport::{
        StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig,
    },
};
use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::{ToolContext, ToolError, ToolInput, Toolset, tool, tool::Extension, toolset};
use toolwright_mcp::{Caller, Elicit, Refusal, Service, Visit};

use crate::{
    person::{Person, clients_of, person},
    support::{serve, texts, versions},
};

#[derive(Debug, Deserialize, ToolInput)]
struct Name {
    name: String,
}

/// A person who says this to each question, and what was asked.
fn says(answer: Value) -> (Person, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&asked);
    let person = person(move |question| {
        let message = question["message"].as_str().unwrap();
        seen.lock().unwrap().push(message.to_owned());
        (ElicitationAction::Accept, Some(answer.clone()))
    });
    (person, asked)
}

async fn name(cx: &ToolContext, question: &str) -> Result<String, ToolError> {
    let name = Elicit::<Name>::of(cx).form(question).await?;
    Ok(name
        .accepted()
        .map_or_else(|| "nobody".to_owned(), |it| it.name))
}

fn service() -> Result<Service, toolwright_mcp::ServiceError> {
    Service::new(Toolset::new())
        .prompt("greet", async |(), cx: ToolContext| {
            let first = name(&cx, "Who greets?").await?;
            let second = name(&cx, "Who is greeted?").await?;
            Ok(format!("{first} greets {second}."))
        })?
        .resource("people://first", async |(), cx: ToolContext| {
            name(&cx, "Who is it?").await
        })
}

#[tokio::test]
async fn a_prompt_and_a_resource_ask_the_person() {
    let (person, asked) = says(json!({"name": "Ada"}));
    for client in clients_of(&person, &service().unwrap()).await {
        let prompt = client
            .get_prompt(GetPromptRequestParams::new("greet"))
            .await;
        let prompt = serde_json::to_value(prompt.unwrap()).unwrap();
        assert_eq!(prompt["messages"][0]["content"]["text"], "Ada greets Ada.");
        let first = ReadResourceRequestParams::new("people://first");
        let first = client.read_resource(first).await.unwrap();
        let first = serde_json::to_value(first).unwrap();
        assert_eq!(first["contents"][0]["text"], "Ada");
        let asked = std::mem::take(&mut *asked.lock().unwrap());
        assert_eq!(asked, ["Who greets?", "Who is greeted?", "Who is it?"]);
    }
    let nobody = Person {
        modes: None,
        ..person
    };
    for client in clients_of(&nobody, &service().unwrap()).await {
        let prompt = client
            .get_prompt(GetPromptRequestParams::new("greet"))
            .await;
        let prompt = serde_json::to_value(prompt.unwrap()).unwrap();
        assert_eq!(
            prompt["messages"][0]["content"]["text"],
            "nobody greets nobody."
        );
    }
}

/// Greet somebody.
#[tool]
async fn greet(#[context] ask: Elicit<Name>) -> Result<String, ToolError> {
    let (first, second) = (ask.named("first"), ask.named("second"));
    let (first, second) = tokio::join!(first.form("Who greets?"), second.form("Who is greeted?"));
    let (first, second) = (first?.accepted().unwrap(), second?.accepted().unwrap());
    Ok(format!("{} greets {}.", first.name, second.name))
}

/// One round of a call, in the newest version.
async fn try_once(
    service: &Service,
    call: CallToolRequestParams,
) -> Result<CallToolResponse, String> {
    let (person, _) = says(json!({}));
    let [_, _, newest, _] = clients_of(&person, service).await.try_into().ok().unwrap();
    newest
        .call_tool_once(call)
        .await
        .map_err(|error| error.to_string())
}

async fn once(service: &Service, call: CallToolRequestParams) -> CallToolResponse {
    try_once(service, call).await.unwrap()
}

#[tokio::test]
async fn two_questions_at_once_are_in_one_result_by_their_names() {
    let (person, asked) = says(json!({"name": "Ada"}));
    let service = Service::new(toolset![greet]);
    for client in clients_of(&person, &service).await {
        let result = client.call_tool(CallToolRequestParams::new("greet")).await;
        assert_eq!(texts(&result.unwrap()), ["Ada greets Ada."]);
        let mut asked = std::mem::take(&mut *asked.lock().unwrap());
        asked.sort();
        assert_eq!(asked, ["Who greets?", "Who is greeted?"]);
    }
    let call = CallToolRequestParams::new("greet");
    let CallToolResponse::InputRequired(asks) = once(&service, call.clone()).await else {
        panic!("it does not ask")
    };
    let asks = asks.input_requests.unwrap();
    assert_eq!(asks.keys().collect::<Vec<_>>(), ["first", "second"]);
    // One of them is answered before it is asked. What is not asked is ignored.
    let mut call = call;
    let said = |name: &str| json!({"action": "accept", "content": {"name": name}});
    let answers = [("first", said("Ada")), ("other", said("Eve"))];
    call.input_responses = Some(answers.map(|(key, said)| (key.to_owned(), said)).into());
    let CallToolResponse::InputRequired(asks) = once(&service, call).await else {
        panic!("it does not ask")
    };
    let asks = asks.input_requests.unwrap();
    assert_eq!(asks.keys().collect::<Vec<_>>(), ["second"]);
}

/// Ask twice by one name.
#[tool]
async fn ask_twice(
    #[context] ask: Elicit<Name>,
    #[context] other: Elicit<()>,
    /// Whether the second question is another one.
    differs: bool,
) -> Result<String, ToolError> {
    let ask = ask.named("name");
    ask.form("Your name?").await?;
    if differs {
        other.named("name").form("Sure?").await?;
    } else {
        ask.form("Your other name?").await?;
    }
    Ok("done".to_owned())
}

#[tokio::test]
async fn a_name_is_that_of_one_question() {
    let (person, _) = says(json!({"name": "Ada"}));
    let service = Service::new(toolset![ask_twice]);
    let clients = clients_of(&person, &service).await;
    for client in &clients[2..] {
        for (differs, expected) in [(false, "done"), (true, "internal error")] {
            let arguments = json!({"differs": differs}).as_object().unwrap().clone();
            let call = CallToolRequestParams::new("ask_twice").with_arguments(arguments);
            let result = client.call_tool(call).await.unwrap();
            assert!(texts(&result)[0].contains(expected), "{result:?}");
        }
    }
}

/// Delete what there is.
#[tool]
async fn delete_all(
    #[context] Extension(files): Extension<Files>,
    #[context] ask: Elicit<()>,
) -> Result<String, ToolError> {
    let files = files.0.load(Ordering::SeqCst);
    let sure = ask.named("sure");
    let said = sure.form(format!("Delete {files} files?")).await?;
    Ok(format!("{files}: {said:?}"))
}

#[derive(Clone)]
struct Files(Arc<AtomicUsize>);

/// The client knows both questions by one name.
#[tokio::test]
async fn an_answer_is_for_the_question_that_was_read() {
    let files = Files(Arc::new(AtomicUsize::new(3)));
    let service = Service::new(toolset![delete_all]).with_extension(files.clone());
    let mut call = CallToolRequestParams::new("delete_all");
    let yes = [(
        "sure".to_owned(),
        json!({"action": "accept", "content": {}}),
    )];
    for (count, asks) in [(3, true), (300, true), (300, false)] {
        files.0.store(count, Ordering::SeqCst);
        match once(&service, call.clone()).await {
            CallToolResponse::InputRequired(asked) if asks => {
                call.request_state = asked.request_state;
                let asked = serde_json::to_value(asked.input_requests).unwrap();
                let message = &asked["sure"]["params"]["message"];
                assert_eq!(*message, format!("Delete {count} files?"));
            }
            CallToolResponse::Complete(done) if !asks => {
                assert_eq!(texts(&done), ["300: Accepted(())"]);
            }
            other => panic!("{count}: {other:?}"),
        }
        call.input_responses = Some(yes.clone().into());
    }
}

/// The state and the answers of the second round of `greet`.
async fn second_round(service: &Service) -> CallToolRequestParams {
    let mut call = CallToolRequestParams::new("greet");
    let CallToolResponse::InputRequired(asks) = once(service, call.clone()).await else {
        panic!("it does not ask")
    };
    call.request_state = asks.request_state;
    let said = json!({"action": "accept", "content": {"name": "Ada"}});
    let keys = asks.input_requests.unwrap().into_keys();
    call.input_responses = Some(keys.map(|key| (key, said.clone())).collect());
    call
}

#[tokio::test]
async fn a_state_that_was_changed_is_refused() {
    let [own, other] = [[7; 32], [8; 32]].map(|key| Service::new(toolset![greet]).state_key(key));
    let call = second_round(&own).await;
    // Another process with the same key takes it.
    let same = Service::new(toolset![greet]).state_key([7; 32]);
    let result = try_once(&same, call.clone()).await;
    assert!(
        matches!(result, Ok(CallToolResponse::Complete(_))),
        "{result:?}"
    );
    let state = call.request_state.clone().unwrap();
    let with = |state: String| {
        let mut call = call.clone();
        call.request_state = Some(state);
        call
    };
    let (mac, json) = state.split_once('.').unwrap();
    let mut about_another = with(state.clone());
    about_another.arguments = Some(json!({"more": 1}).as_object().unwrap().clone());
    for (service, changed) in [
        (&other, with(state.clone())),
        (&own, with(format!("{state}-TAMPERED"))),
        (&own, with(format!("{mac}é.{json}"))),
        (&own, with(format!(".{json}"))),
        (&own, with(json.to_owned())),
        (&own, with(String::new())),
        (&own, about_another),
    ] {
        let error = try_once(service, changed).await.unwrap_err();
        assert!(error.contains("`requestState`"), "{error}");
    }
}

/// Greet somebody whose name is needed.
#[tool]
async fn greet_by_name(#[context] ask: Elicit<Name>) -> Result<String, ToolError> {
    let name = ask.required().form("Your name?").await?;
    Ok(format!("{name:?}"))
}

#[tokio::test]
async fn a_client_that_cannot_ask_is_refused_where_an_answer_is_required() {
    let (person, _) = says(json!({}));
    let nobody = Person {
        modes: None,
        ..person
    };
    let service = Service::new(toolset![greet_by_name]);
    let clients = clients_of(&nobody, &service).await;
    for (index, client) in clients.iter().enumerate() {
        let call = client.call_tool(CallToolRequestParams::new("greet_by_name"));
        match (index, call.await) {
            (0 | 1, Ok(failed)) => {
                assert_eq!(failed.is_error, Some(true));
                assert!(texts(&failed)[0].contains("cannot ask"), "{failed:?}");
            }
            (_, Err(ServiceError::McpError(error))) => {
                assert_eq!(error.code, ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY);
                let needs = json!({"requiredCapabilities": {"elicitation": {"form": {}}}});
                assert_eq!(error.data, Some(needs));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_state_is_that_of_its_owner() {
    let owner = async |visit: Visit| {
        let token = visit.bearer();
        let token = token.ok_or_else(|| Refusal::unauthorized("sign in"))?;
        Ok(Caller::owner(token))
    };
    let address = serve(Service::new(toolset![greet]).http().owner(owner)).await;
    let mut call = CallToolRequestParams::new("greet");
    for (owner, is_refused) in [("ada", false), ("ada", false), ("bob", true)] {
        let config = StreamableHttpClientTransportConfig::with_uri(&*address).auth_header(owner);
        let transport = StreamableHttpClientTransport::from_config(config);
        let [_, newest] = versions();
        let (person, _) = says(json!({}));
        let client = person
            .serve_with_lifecycle(transport, newest)
            .await
            .unwrap();
        match client.call_tool_once(call.clone()).await {
            Ok(CallToolResponse::InputRequired(asks)) if !is_refused => {
                call.request_state = asks.request_state;
            }
            Err(error) if is_refused => assert!(error.to_string().contains("`requestState`")),
            other => panic!("{owner}: {other:?}"),
        }
    }
}
