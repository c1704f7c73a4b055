// The arguments of a call, or the answer to its question: a form made from the schema, and the same as JSON. A change of
// one changes the other.

// The whole package also imports a validator for its tests, which is not installed with it.
import Form from "@rjsf/core/lib/components/Form.js";
import type { RJSFSchema, UiSchema } from "@rjsf/utils";
import { useId, useMemo } from "react";

import { isObject, pretty, type JsonObject } from "../../api/json_value.ts";
import { parseJson } from "../../json/parse.ts";
import { templates } from "./templates.tsx";
import { SchemaValidator } from "./validator.ts";

interface Props {
  what?: keyof typeof WORDS;
  schema: JsonObject;
  text: string;
  onText: (text: string) => void;
  onSubmit: () => void;
}

const validator = new SchemaValidator();

const WORDS = {
  arguments: {
    legend: "Arguments as a form",
    empty: "The tool has no parameters.",
    noObject: "The form shows objects. These arguments are none.",
  },
  answer: {
    legend: "Answer as a form",
    empty: "The form has no fields.",
    noObject: "The form shows objects. This answer is none.",
  },
} as const;

const DEFAULTS = {
  arguments: { emptyObjectFields: "populateRequiredDefaults", arrayMinItems: { populate: "requiredOnly" } },
  // The form may be that of a stranger, with any number of items.
  answer: { emptyObjectFields: "populateRequiredDefaults", arrayMinItems: { populate: "never" } },
} as const;

const UI: UiSchema<unknown, RJSFSchema> = { "ui:submitButtonOptions": { norender: true }, "ui:options": { label: false } };

export function Arguments({ what = "arguments", schema, text, onText, onSubmit }: Props) {
  const words = WORDS[what];
  const id = useId();
  const { value, mistake } = useMemo(() => parseJson(text), [text]);
  // The description of the whole is that of the tool, which stands above.
  const formSchema = useMemo(() => withoutTitle(schema) as RJSFSchema, [schema]);
  const hasForm = isObject(schema["properties"]) && Object.keys(schema["properties"]).length > 0;
  return (
    <div className="arguments">
      <div className="arguments-form">
        {!hasForm && <p className="muted">{words.empty}</p>}
        {hasForm && (value === undefined || isObject(value)) && (
          <fieldset className="plain" disabled={mistake !== null}>
            <legend className="visually-hidden">{words.legend}</legend>
            <Form<unknown, RJSFSchema>
              schema={formSchema}
              uiSchema={UI}
              validator={validator}
              templates={templates}
              formData={value ?? {}}
              idPrefix={id.replace(/[^\w]/g, "")}
              noValidate
              noHtml5Validate
              showErrorList={false}
              experimental_defaultFormStateBehavior={DEFAULTS[what]}
              onChange={({ formData }) => {
                if (mistake === null && !isSame(formData, value)) onText(pretty(formData ?? {}));
              }}
              onSubmit={onSubmit}
            />
          </fieldset>
        )}
        {mistake !== null && hasForm && <p className="muted">The form goes on when the text is JSON again.</p>}
        {value !== undefined && !isObject(value) && (
          <p className="muted">{words.noObject}</p>
        )}
      </div>
      <div className="arguments-json">
        <label htmlFor={`${id}-text`}>As JSON</label>
        <textarea
          id={`${id}-text`}
          className="code"
          value={text}
          spellCheck={false}
          autoCapitalize="off"
          rows={Math.min(18, Math.max(6, text.split("\n").length + 1))}
          aria-invalid={mistake !== null}
          aria-describedby={`${id}-mistake`}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              onSubmit();
            }
          }}
        />
        <p id={`${id}-mistake`} className="mistake" aria-live="polite">
          {mistake !== null && `Line ${mistake.line}, column ${mistake.column}: ${mistake.message}.`}
        </p>
      </div>
    </div>
  );
}

function withoutTitle({ title: _title, description: _description, ...schema }: JsonObject): JsonObject {
  return schema;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
