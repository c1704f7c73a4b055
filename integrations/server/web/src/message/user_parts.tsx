// What a user said: texts and images.

import type { UserPart } from "../api/messages.ts";

export function UserParts({ parts }: { parts: UserPart[] }) {
  return parts.map((part, index) =>
    part.type === "file" ? (
      <img key={index} src={part.url} alt={`Attached image ${index + 1}`} />
    ) : (
      <p key={index}>{part.text}</p>
    ),
  );
}
