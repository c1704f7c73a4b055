"""The strict double, with answers that the test says, and with the rules for the schema of an answer.

The types of the SDKs let every schema pass, so the documented rules are checked here: OpenAI's of `strict`, the keywords
of Anthropic and of Gemini.

  answering.py STRICT_SERVER --port N [--split N] [--crlf]
POST /_say "TEXT" -> the next response says this text, as arguments of `final_answer` where that is on offer
GET /_last -> {"body", "schema"} of the last request that was taken

Where nothing was said, the answer is the smallest value of the schema that was sent.
"""
import argparse, collections, importlib.util, json, re, sys

import jsonschema

arguments = argparse.ArgumentParser()
arguments.add_argument("double")
arguments.add_argument("--port", type=int)
arguments.add_argument("--split", type=int, default=0)
arguments.add_argument("--crlf", action="store_true")
options = arguments.parse_args()
spec = importlib.util.spec_from_file_location("double", options.double)
double = importlib.util.module_from_spec(spec)
sys.modules["double"] = double
spec.loader.exec_module(double)
double.ARGS = argparse.Namespace(lenient=False, delay=0, split=options.split, crlf=options.crlf)

SAID = collections.deque()
LAST = {"body": None, "schema": None}
# https://platform.claude.com/docs/en/build-with-claude/structured-outputs
NOT_OF_ANTHROPIC = {
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "maxItems",
    "uniqueItems", "contains", "patternProperties", "propertyNames", "minProperties", "maxProperties", "not", "if",
    "oneOf", "dependentRequired", "dependentSchemas", "unevaluatedProperties", "prefixItems",
}
# https://ai.google.dev/api/generate-content#FIELDS.response_json_schema
OF_GEMINI = {
    "$id", "$defs", "$ref", "$anchor", "type", "format", "title", "description", "enum", "items", "prefixItems",
    "minItems", "maxItems", "minimum", "maximum", "anyOf", "oneOf", "properties", "additionalProperties", "required",
    "propertyOrdering",
}


def schemas(schema, at="$"):
    """A schema, and those within it."""
    if not isinstance(schema, dict):
        return
    yield at, schema
    for key in ("properties", "$defs", "definitions", "patternProperties"):
        for name, one in schema.get(key, {}).items():
            yield from schemas(one, f"{at}.{key}.{name}")
    for key in ("items", "additionalProperties", "not"):
        yield from schemas(schema.get(key), f"{at}.{key}")
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for place, one in enumerate(schema.get(key, [])):
            yield from schemas(one, f"{at}.{key}[{place}]")


def of_openai(form):
    if not form or form.get("type") != "json_schema":
        return None, []
    schema = form["schema"]
    errors = list(double.strict_schema(schema, "$")) if form.get("strict") else []
    if not re.fullmatch("[a-zA-Z0-9_-]{1,64}", form["name"]):
        errors.append(f"name {form['name']!r}")
    if schema.get("type") != "object":
        errors.append("the root must be an object")
    return schema, errors


def of_chat(body):
    form = body.get("response_format")
    return of_openai(form and {**form, **form.get("json_schema", {})})


def of_responses(body):
    return of_openai((body.get("text") or {}).get("format"))


def of_anthropic(body):
    form = (body.get("output_config") or {}).get("format")
    if not form:
        return None, []
    schema, errors = form["schema"], []
    for at, one in schemas(schema):
        errors += [f"{at}: {key} is not supported" for key in sorted(one.keys() & NOT_OF_ANTHROPIC)]
        if one.get("type") == "object" and one.get("additionalProperties") is not False:
            errors.append(f"{at}: additionalProperties must be false")
        if one.get("minItems", 0) > 1:
            errors.append(f"{at}: minItems must be 0 or 1")
    return schema, errors


def of_gemini(body):
    config = body.get("generationConfig") or {}
    schema = config.get("responseJsonSchema")
    if schema is None:
        return None, []
    errors = [f"{at}: {key} is not known" for at, one in schemas(schema) for key in sorted(one.keys() - OF_GEMINI)]
    if config.get("responseMimeType") != "application/json":
        errors.append("responseMimeType must be application/json")
    if "responseSchema" in config:
        errors.append("there are two schemas")
    return schema, errors


def of_ollama(body):
    schema = body.get("format") or None
    return schema, ["there are tools, which it then does not call"] if schema and body.get("tools") else []


SCHEMA = dict(chat=of_chat, responses=of_responses, anthropic=of_anthropic, gemini=of_gemini, ollama=of_ollama)


def checked(protocol, view):
    def check(body, turn):
        view(body, turn)
        schema, errors = SCHEMA[protocol](body)
        if schema is not None:
            try:
                jsonschema.Draft202012Validator.check_schema(schema)
            except jsonschema.SchemaError as error:
                errors.append(f"it is not a JSON Schema: {error.message}")
        turn.errors += [f"schema of the answer: {error}" for error in errors]
        LAST.update(body=body, schema=schema, tools=[name for name, _ in turn.tools])

    return check


def answered(make):
    def reply(plan, body):
        plan = dict(plan, text="Hello from the double.", calls=[], stop="stop")
        if SAID:
            said = SAID.popleft()
            if "final_answer" in LAST["tools"]:
                plan.update(text=None, calls=[("final_answer", said)], stop="tool")
            else:
                plan["text"] = said
        elif LAST["schema"] is not None:
            plan["text"] = json.dumps(double.sample(LAST["schema"]))
        return make(plan, body)

    return reply


for protocol in SCHEMA:
    double.VIEW[protocol] = checked(protocol, double.VIEW[protocol])
    double.MAKE[protocol] = answered(double.MAKE[protocol])


class Handler(double.H):
    # Else the body of each response waits for what the client acknowledges.
    disable_nagle_algorithm = True

    def do_GET(self):
        if self.path == "/_last":
            return self.send(200, LAST)
        super().do_GET()

    def do_POST(self):
        if self.path != "/_say":
            return super().do_POST()
        SAID.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        self.send(200, {})


double.H = Handler
server = double.serve(options.port)
server.serve_forever()
