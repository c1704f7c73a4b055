// Random ids. `crypto.randomUUID` is missing where the page is not served from this machine or over TLS.

export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
