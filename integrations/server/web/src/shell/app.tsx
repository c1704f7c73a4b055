// The frame of the page: where one is, and where one can go.

import { Fragment, useEffect, useRef } from "react";

import { getInfo } from "../api/info.ts";
import { signIn, useLogin } from "../api/token.ts";
import { ChatPage } from "../chat/page.tsx";
import { RunsPage } from "../runs/page.tsx";
import { ToolsPage } from "../tools/page.tsx";
import { Login } from "./login.tsx";
import { hrefOf, useRoute, type Area, type Route } from "./route.ts";
import { ThemeSwitch } from "./theme_switch.tsx";
import { useLoaded } from "./use_loaded.ts";

const AREAS: { area: Area; title: string; start: Route }[] = [
  { area: "chat", title: "Chat", start: { area: "chat", id: null } },
  { area: "tools", title: "Tools", start: { area: "tools", name: null } },
  { area: "runs", title: "Runs", start: { area: "runs", id: null, sequence: null } },
];

export function App() {
  const route = useRoute();
  const login = useLogin();
  // Another visitor sees something else.
  const info = useLoaded(`info ${login.token}`, getInfo);
  const main = useRef<HTMLElement>(null);
  const title = AREAS.find(({ area }) => area === route.area)?.title ?? "";
  const name = info.value?.name ?? "playground";

  useEffect(() => {
    document.title = `${title} – ${name}`;
  }, [title, name]);

  return (
    <>
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          // The address is the route, and stays.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      <header className="top">
        <p className="brand">
          <strong>toolwright</strong>
          {info.value !== null && <span className="muted"> {info.value.name}</span>}
        </p>
        <nav aria-label="Areas">
          {AREAS.map(({ area, title, start }) => (
            <a key={area} href={hrefOf(start)} aria-current={area === route.area ? "page" : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <p className="model">
          {info.value?.model && (
            <>
              <span className="muted">Model </span>
              {info.value.model}
            </>
          )}
        </p>
        {login.token !== "" && !login.isNeeded && (
          <button type="button" className="quiet" onClick={() => signIn("")}>
            Sign out
          </button>
        )}
        <ThemeSwitch />
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {login.isNeeded ? (
          <Login />
        ) : (
          <Fragment key={login.token}>
            {info.error !== null && (
              <p className="notice bad" role="alert">
                {info.error}
              </p>
            )}
            {route.area === "chat" && <ChatPage id={route.id} info={info.value} />}
            {route.area === "tools" && <ToolsPage name={route.name} mayCall={info.value?.callsByHand === true} />}
            {route.area === "runs" && <RunsPage id={route.id} sequence={route.sequence} />}
          </Fragment>
        )}
      </main>
    </>
  );
}
