// Loads the chat in the address, after a login where the server asks for one.
import type { UIMessage } from "ai";
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

import { Chat } from "./chat.tsx";
import { ask, refusalOf, type Refusal } from "./server.ts";

function App() {
  const [id, setId] = useState(() => location.hash.slice(1) || crypto.randomUUID());
  const [stored, setStored] = useState<UIMessage[] | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const load = async () => {
    try {
      setStored((await ask<{ messages: UIMessage[] }>(`/chat/${id}`)).messages);
    } catch (error) {
      const refusal = refusalOf(error);
      // A chat begins with its first message.
      if (refusal?.code === "not_found") setStored([]);
      else setRefusal(refusal);
    }
  };
  useEffect(() => void load(), []);
  const begin = () => {
    location.hash = "";
    setStored([]);
    setId(crypto.randomUUID());
  };

  if (stored !== null) {
    return (
      <>
        <button onClick={begin}>New chat</button>
        <Chat key={id} id={id} stored={stored} />
      </>
    );
  }
  if (refusal === null) return <p>Loading …</p>;
  if (refusal.code !== "unauthorized") return <p role="alert">{refusal.message}</p>;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sessionStorage.setItem("token", String(new FormData(event.currentTarget).get("token")));
        void load();
      }}
    >
      <p role="alert">{refusal.message}</p>
      <input name="token" type="password" aria-label="Token" required />
      <button>Sign in</button>
    </form>
  );
}

createRoot(document.getElementById("root")!).render(<App />);
