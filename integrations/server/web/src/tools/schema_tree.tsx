// A JSON Schema as a tree that a person reads.

import type { ReactNode } from "react";

import { isObject, type Json, type JsonObject } from "../api/json_value.ts";
import { describeConstraints, typeText } from "./schema_words.ts";

/** Schemas may refer to themselves. */
const DEEPEST = 8;

export function SchemaTree({ schema }: { schema: JsonObject }) {
  const members = membersOf(schema, schema, 0);
  if (members === null) return <p className="muted">The tool takes no arguments.</p>;
  return <div className="schema">{members}</div>;
}

function membersOf(schema: JsonObject, root: JsonObject, depth: number): ReactNode {
  const resolved = resolve(schema, root);
  if (depth > DEEPEST) return null;
  const properties = isObject(resolved["properties"]) ? Object.entries(resolved["properties"]) : [];
  const required = Array.isArray(resolved["required"]) ? resolved["required"] : [];
  const choices = choicesOf(resolved);
  const rows: ReactNode[] = properties.map(([name, property]) => (
    <Member
      key={name}
      name={name}
      schema={isObject(property) ? property : {}}
      isRequired={required.includes(name)}
      root={root}
      depth={depth}
    />
  ));
  if (isObject(resolved["items"])) {
    rows.push(<Member key="[]" name="each item" schema={resolved["items"]} root={root} depth={depth} />);
  }
  if (isObject(resolved["additionalProperties"])) {
    rows.push(
      <Member key="{}" name="each value" schema={resolved["additionalProperties"]} root={root} depth={depth} />,
    );
  }
  choices.forEach((choice, index) => {
    if (isObject(choice) && hasMembers(resolve(choice, root))) {
      rows.push(
        <Member key={`choice-${index}`} name={`form ${index + 1}`} schema={choice} root={root} depth={depth} />,
      );
    }
  });
  return rows.length > 0 ? <ul>{rows}</ul> : null;
}

interface MemberProps {
  name: string;
  schema: JsonObject;
  isRequired?: boolean;
  root: JsonObject;
  depth: number;
}

function Member({ name, schema, isRequired, root, depth }: MemberProps) {
  const resolved = resolve(schema, root);
  const description = resolved["description"] ?? schema["description"];
  const constraints = describeConstraints(resolved);
  return (
    <li>
      <p className="schema-line">
        <code className="schema-name">{name}</code> <span className="schema-type">{typeText(resolved)}</span>
        {isRequired && <span className="badge">required</span>}
        {constraints !== "" && <span className="muted"> {constraints}</span>}
      </p>
      {typeof description === "string" && <p className="muted">{description}</p>}
      {membersOf(resolved, root, depth + 1)}
    </li>
  );
}

function choicesOf(schema: JsonObject): Json[] {
  for (const key of ["oneOf", "anyOf"]) {
    const choices = schema[key];
    if (Array.isArray(choices)) return choices;
  }
  return [];
}

function hasMembers(schema: JsonObject): boolean {
  return ["properties", "items", "oneOf", "anyOf"].some((key) => schema[key] !== undefined);
}

/** Follows `$ref`s within the schema. */
export function resolve(schema: JsonObject, root: JsonObject): JsonObject {
  let found = schema;
  for (let step = 0; step < DEEPEST && typeof found["$ref"] === "string"; step += 1) {
    const { $ref, ...beside } = found;
    const target = atPointer(root, String($ref));
    if (!isObject(target)) return beside;
    found = { ...target, ...beside };
  }
  return found;
}

function atPointer(root: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith("#")) return undefined;
  let value: Json | undefined = root;
  for (const step of reference.slice(1).split("/").slice(1)) {
    const key = decodeURIComponent(step).replace(/~1/g, "/").replace(/~0/g, "~");
    value = isObject(value) ? value[key] : Array.isArray(value) ? value[Number(key)] : undefined;
  }
  return value;
}
