// The output of a call: a value, a text, or several pieces with images.

import { isObject, type Json, type JsonObject } from "../api/json_value.ts";
import { JsonView } from "../json/view.tsx";

export function Output({ value, label }: { value: Json; label: string }) {
  const pieces = piecesOf(value);
  if (pieces === null) return <JsonView value={value} label={label} />;
  return (
    <>
      {pieces.map((piece, index) =>
        piece["type"] === "image" ? (
          <img key={index} src={String(piece["url"])} alt={`Image ${index + 1}: ${label}`} />
        ) : (
          <JsonView key={index} value={piece["text"] ?? piece["value"]} label={`${label}, piece ${index + 1}`} />
        ),
      )}
    </>
  );
}

/** The pieces of an output of several. A tool may also give a list that looks like one only in part. */
function piecesOf(value: Json): JsonObject[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const pieces = value.filter(isObject).filter((piece) => ["text", "json", "image"].includes(String(piece["type"])));
  return pieces.length === value.length ? pieces : null;
}
