import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

/** `npm run dev -w packages/dashboard`: the page alone, its requests go to a service that runs on the usual port. */
const SERVICE = "http://localhost:3000"

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    target: "es2024",
    // A data: address would need a wider policy than 'self'.
    assetsInlineLimit: 0,
    // Scripts that are loaded ahead come as <link> elements of the page itself.
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": SERVICE, "/docs": SERVICE, "/openapi.json": SERVICE } },
})
