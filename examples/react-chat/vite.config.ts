import { defineConfig } from "vite";

// The page and the server are one origin. The server compares `Origin` with `Host`, so the proxy keeps that.
export default defineConfig({
  server: { proxy: { "/api": { target: "http://127.0.0.1:8080", changeOrigin: false } } },
});
