import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { z } from "zod"
import { useAccount } from "../api/account.ts"
import { send } from "../api/send.ts"
import { ANSWERS } from "../worker/rules.ts"
import { untilIdle } from "./until-idle.ts"

/** What Trends and Insights ask for first, so that they can be opened offline although the person has only seen Today. */
const FIRST_ANSWERS = [
  "/api/account/trends?days=30",
  "/api/account/journal?days=30",
  "/api/account/metrics?",
  "/api/account/relate?outcome=recovery_score&days=180&lag=0",
  "/api/account/relate?outcome=recovery_score&days=180&lag=1",
  "/api/account/trend?metric=recovery_score&days=180",
]

/** Lets the service worker keep what the main pages show first, once the page is idle. */
export function useKeepAhead(): void {
  const { data: account } = useAccount()
  const queries = useQueryClient()
  const hasData = account !== undefined && account.connections.length > 0
  useEffect(() => {
    if (hasData && "serviceWorker" in navigator) void keepAhead(queries)
  }, [hasData, queries])
}

async function keepAhead(queries: QueryClient): Promise<void> {
  if (navigator.serviceWorker.controller === null) {
    await untilControlled()
    // What is on the screen was asked for before the worker could keep it.
    await queries.refetchQueries({ type: "active" })
  }
  await untilIdle()
  const kept = await caches.open(ANSWERS)
  for (const path of FIRST_ANSWERS) if (!(await kept.match(path))) await send(path, z.unknown()).catch(ignoreFailure)
}

/** A page that needs the answer asks again, and reports what is wrong. */
const ignoreFailure = (): void => {}

const untilControlled = (): Promise<void> =>
  new Promise((resolve) =>
    navigator.serviceWorker.addEventListener("controllerchange", () => resolve(), { once: true }),
  )
