import { fileURLToPath } from "node:url"
import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

/** One file for everybody, so that there is one copy of Preact. */
const fileOf = (name: string): string => fileURLToPath(import.meta.resolve(name))

/** The view that chats show. build.ts puts its script and its styles into one document. */
export default defineConfig({
  plugins: [react(), tailwindcss()],
  // Preact draws the same components with a tenth of React's code.
  resolve: {
    alias: {
      "react-dom/client": fileOf("preact/compat/client"),
      "react-dom": fileOf("preact/compat"),
      "react/jsx-runtime": fileOf("preact/jsx-runtime"),
      react: fileOf("preact/compat"),
      "preact/compat": fileOf("preact/compat"),
      "preact/hooks": fileOf("preact/hooks"),
      preact: fileOf("preact"),
    },
  },
  publicDir: false,
  build: {
    target: "es2024",
    write: false,
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: { input: "src/chat/main.tsx" },
  },
})
