// Requests to the server that serves the page.

import { needLogin, tokenOf } from "./token.ts";

/** The script of the page. It stands beside what the page asks, also where the address of the page has no slash at its end. */
const SCRIPT = import.meta.url;

/** The address of a resource. */
export function addressOf(path: string, query: Record<string, string | number | null | undefined> = {}): string {
  const url = new URL(path, SCRIPT);
  for (const [key, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") url.searchParams.set(key, String(value));
  }
  return url.href;
}

/** Sends a request as the visitor. A refusal is thrown; one of a visitor that is not known asks for a login. */
export async function send(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  const token = tokenOf();
  if (token !== "") headers.set("authorization", `Bearer ${token}`);
  const response = await fetch(input, { ...init, headers });
  if (response.status === 401) needLogin();
  if (!response.ok) throw await errorOf(response);
  return response;
}

/** What the server says when it refuses. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly body: unknown;

  constructor(status: number, code: string, message: string, body: unknown) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.body = body;
  }
}

export async function getJson<T>(
  path: string,
  query: Record<string, string | number | null | undefined> = {},
  signal?: AbortSignal,
): Promise<T> {
  const response = await send(addressOf(path, query), { headers: { accept: "application/json" }, signal: signal ?? null });
  return (await response.json()) as T;
}

export const post = (path: string, body: unknown, signal?: AbortSignal) => sendJson("POST", path, body, signal);

export async function sendJson(
  method: "POST" | "PATCH",
  path: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<Response> {
  return sendText(method, path, JSON.stringify(body), signal);
}

/** Sends JSON text. */
export const sendText = (method: "POST" | "PATCH", path: string, body: string, signal?: AbortSignal) =>
  send(addressOf(path), { method, headers: { "content-type": "application/json" }, body, signal: signal ?? null });

export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  return errorOfText(text, response.status, response.statusText);
}

/** The error in a body, which may also come from a proxy that speaks no JSON. */
export function errorOfText(text: string, status: number, statusText: string): ApiError {
  try {
    const body: unknown = JSON.parse(text);
    if (isErrorBody(body)) return new ApiError(status, body.error.code, body.error.message, body);
  } catch {
    // No JSON: the status says what there is to say.
  }
  return new ApiError(status, "unknown", `The server answered ${status} ${statusText}`.trim() + ".", null);
}

interface ErrorBody {
  error: { code: string; message: string };
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== "object" || body === null || !("error" in body)) return false;
  const { error } = body;
  return typeof error === "object" && error !== null && "message" in error && typeof error.message === "string";
}

/** True if the server was not reached, or its answer broke off. */
export function isLost(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof ApiError && [502, 503, 504].includes(error.status));
}

/** A sentence about whatever was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof TypeError) return "The server cannot be reached.";
  return error instanceof Error ? error.message : String(error);
}
