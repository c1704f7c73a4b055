import { defineConfig } from "vite";

import { licenses } from "./build/licenses.ts";

// One script and one stylesheet under fixed names: the server embeds them, and the same sources give the same bytes.
export default defineConfig({
  base: "./",
  plugins: [licenses("THIRD-PARTY-LICENSES.txt")],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      // Directives for servers that render pages mean nothing here.
      onwarn: (warning, warn) => {
        if (warning.code !== "MODULE_LEVEL_DIRECTIVE") warn(warning);
      },
      output: { entryFileNames: "app.js", chunkFileNames: "[name].js", assetFileNames: "app[extname]" },
    },
  },
});
