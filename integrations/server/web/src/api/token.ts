// The token of the visitor, which the hook of the server reads from the header `authorization`.

import { useSyncExternalStore } from "react";

const KEY = "playground.token";

interface Login {
  token: string;
  /** True after the server has refused a request because it does not know who calls. */
  isNeeded: boolean;
}

let login: Login = { token: stored(), isNeeded: false };
const listeners = new Set<() => void>();

export function tokenOf(): string {
  return login.token;
}

/** With an empty token nobody is signed in. */
export function signIn(token: string): void {
  try {
    if (token === "") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, token);
    // What the visitor before has called by hand is not for this one.
    const kept = Object.keys(sessionStorage).filter((key) => key.startsWith("playground.calls."));
    for (const key of kept) sessionStorage.removeItem(key);
  } catch {
    // A page without storage asks again after a reload.
  }
  change({ token, isNeeded: false });
}

export function needLogin(): void {
  if (!login.isNeeded) change({ ...login, isNeeded: true });
}

export const useLogin = (): Login => useSyncExternalStore(subscribe, () => login);

function change(next: Login): void {
  login = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function stored(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}
