import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"
import { dropDescriptions } from "./drop-descriptions.ts"

/** `npm run dev -w packages/dashboard` serves the page, and forwards its requests to a service on the default port. */
const SERVICE = "http://localhost:3000"

export default defineConfig({
  plugins: [dropDescriptions(), react(), tailwindcss()],
  build: {
    target: "es2024",
    // A data: URL would need a wider Content-Security-Policy than 'self'.
    assetsInlineLimit: 0,
    // The page preloads its scripts with <link> elements, which need no polyfill.
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": SERVICE, "/docs": SERVICE, "/openapi.json": SERVICE } },
})
