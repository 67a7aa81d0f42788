import { QueryClientProvider } from "@tanstack/react-query"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { z } from "zod"
import { createQueryClient } from "./api/query-client.ts"
import { App } from "./app.tsx"
import "./style.css"

// The policy of the page forbids making code from text, which zod would try for speed.
z.config({ jitless: true })

const root = document.getElementById("root")
if (!root) throw new Error("index.html has no #root")
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)
