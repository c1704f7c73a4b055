// The question of a call: its form, or the address that the user opens. Its texts may come from a stranger.
import type { SubmitEvent } from "react";

import { visible, type Question as Asked } from "./parts.ts";

type Choice = { const: string; title?: string };
type Field = {
  type?: string;
  title?: string;
  description?: string;
  enum?: string[];
  oneOf?: Choice[];
  default?: string | number | boolean;
};
type Form = { properties?: Record<string, Field>; required?: string[] };

type Props = { tool: string; asked: Asked; isOpen: boolean; answer: (values: object | null) => void };

export function Question({ tool, asked, isOpen, answer }: Props) {
  const form: Form = typeof asked.form === "string" ? JSON.parse(asked.form) : (asked.form ?? {});
  const fields = Object.entries(form.properties ?? {});
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    answer(valuesOf(new FormData(event.currentTarget), fields));
  };
  return (
    // It stays when it is answered, with what was typed: the server may refuse the answer.
    <form hidden={!isOpen} onSubmit={submit}>
      <p>
        <b>{tool}</b> asks: {visible(asked.message)}
      </p>
      {asked.url !== undefined && <Address url={asked.url} />}
      {fields.map(([name, { type, title, description, enum: values, oneOf, default: start }]) => {
        const choices = oneOf ?? values?.map((value): Choice => ({ const: value }));
        const given = { name, required: form.required?.includes(name) && type !== "boolean" };
        const text = start === undefined ? undefined : String(start);
        return (
          <p key={name}>
            <label>
              {title ?? name}{" "}
              {choices ? (
                <select {...given} defaultValue={text}>
                  <option />
                  {choices.map(({ const: value, title }) => (
                    <option key={value} value={value}>{title ?? value}</option>
                  ))}
                </select>
              ) : type === "boolean" ? (
                <input {...given} type="checkbox" defaultChecked={start === true} />
              ) : (
                <input {...given} type={isNumber(type) ? "number" : "text"} step="any" defaultValue={text} />
              )}
            </label>{" "}
            {description}
          </p>
        );
      })}
      <button>Answer</button>{" "}
      <button type="button" onClick={() => answer(null)}>Decline</button>
    </form>
  );
}

const isNumber = (type?: string) => type === "number" || type === "integer";

/** Nothing but the user opens it. The text of an address can hide its host. */
function Address({ url }: { url: string }) {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return <p>{visible(url)}</p>;
  return (
    <p>
      Open at <b>{new URL(url).host}</b>: <a href={url} target="_blank" rel="noopener noreferrer">{visible(url)}</a>
    </p>
  );
}

/** Fields that are left empty are left out. */
function valuesOf(data: FormData, fields: [string, Field][]) {
  const values = fields.map(([name, { type }]) => {
    const text = String(data.get(name) ?? "");
    if (type === "boolean") return [name, data.has(name)];
    return [name, text === "" ? undefined : isNumber(type) ? Number(text) : text];
  });
  return Object.fromEntries(values);
}
