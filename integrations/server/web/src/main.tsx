import "./without_eval.ts";
import "./styles/index.css";

import { createRoot } from "react-dom/client";

import { App } from "./shell/app.tsx";
import { ThemeProvider } from "./shell/theme.tsx";

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <ThemeProvider>
      <App />
    </ThemeProvider>,
  );
}
