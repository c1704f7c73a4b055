// Requests to the server, and its refusals by their codes.
import { APICallError } from "ai";

/** What the hook of the server reads. The login stores the token. */
export const headers = () => ({ authorization: `Bearer ${sessionStorage.getItem("token")}` });

export type Refusal = { code: string; message: string };

/** Asks the server for JSON. A refusal is thrown. */
export async function ask<T>(path: string, body?: object): Promise<T> {
  const post = body && { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(`/api${path}`, { ...post, headers: { ...headers(), "content-type": "application/json" } });
  if (!response.ok) throw refusalIn(await response.text());
  return response.json();
}

/** Why a request failed. That a run failed stands in its message, as `data-failure`. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof TypeError) return { code: "lost", message: "The connection is lost." };
  if (APICallError.isInstance(error)) return refusalIn(error.responseBody ?? "");
  return error instanceof Error ? null : (error as Refusal);
}

function refusalIn(body: string): Refusal {
  try {
    return JSON.parse(body).error;
  } catch {
    // It comes from a proxy, which knows no codes.
    return { code: "unknown", message: "The server cannot be reached." };
  }
}

/** What the user can do, where it is more than the message says. */
export const advice: Record<string, string> = {
  rate_limited: "Wait a minute, then ask for another answer.",
  busy: "Another page has asked here. Reload to read its answer.",
  not_waiting: "Somebody else has decided. Reload to see it.",
  unauthorized: "Reload to sign in again.",
  too_large: "Send a smaller image.",
};
