// Asks for the token that the server wants.

import { useState } from "react";

import { signIn, tokenOf } from "../api/token.ts";

export function Login() {
  const [token, setToken] = useState("");
  return (
    <form
      className="detail login"
      aria-labelledby="login"
      onSubmit={(event) => {
        event.preventDefault();
        signIn(token.trim());
      }}
    >
      <h1 id="login">Sign in</h1>
      <p role="status">
        {tokenOf() === "" ? "The server wants to know who you are." : "The server does not accept this token."}
      </p>
      <label>
        Token
        <input
          type="password"
          autoComplete="current-password"
          autoFocus
          required
          value={token}
          aria-describedby="login-note"
          onChange={(event) => setToken(event.target.value)}
        />
      </label>
      <p id="login-note" className="muted">
        It is sent as <code>Authorization: Bearer …</code>, and stays in this browser until you sign out.
      </p>
      <button type="submit" className="primary">
        Sign in
      </button>
    </form>
  );
}
