import "./api/zod-without-eval.ts"
import { writeNumbersIn } from "@restwell/client/figures"
import { QueryClientProvider } from "@tanstack/react-query"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { createQueryClient } from "./api/send.ts"
import { App } from "./app.tsx"
import { ErrorBoundary } from "./components/error-boundary.tsx"
import { readersLocale } from "./format/locale.ts"
import { startWorker } from "./offline/offline.ts"
import "./style.css"

writeNumbersIn(readersLocale().toString())

const root = document.getElementById("root")
if (!root) throw new Error("index.html has no #root")
const queries = createQueryClient()
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <ErrorBoundary>
        <App />
      </ErrorBoundary>
    </QueryClientProvider>
  </StrictMode>,
)
// A share is no part of this browser's account, and leaves nothing behind.
if (window.location.pathname !== "/shared") startWorker(queries)
