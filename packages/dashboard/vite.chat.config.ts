import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

/** The view that chats show. chat-page.ts puts its script and its styles into one document. */
export default defineConfig({
  plugins: [react(), tailwindcss()],
  publicDir: false,
  build: {
    target: "es2024",
    write: false,
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: { input: "src/chat/main.tsx" },
  },
})
