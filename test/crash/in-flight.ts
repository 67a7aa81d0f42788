import type { Simulator } from "@restwell/simulator"
import type { Installation } from "./installation.ts"
import type { Life } from "./life.ts"

/** A request that has been open for longer was broken off by an earlier kill. */
const RECENT_MS = 500
/** Until a pair is stored that the vendor gave out, on a machine that has much to do. */
const LONGEST_RENEWAL_MS = 5_000
const BY_ID = /\/v2\/(?:activity\/\w+\/|cycle\/)/

/** What the service is in the middle of at this moment. */
export function inFlight(simulator: Simulator, life: Life, { processes }: Installation): string[] {
  const since = new Date(simulator.clock.nowMs() - RECENT_MS).toISOString()
  const open = simulator.requestLog.entries.slice(-200).filter(({ at, status }) => status === undefined && at > since)
  const isSending = simulator.webhooks.deliveries.some(({ state }) => state === "sending")
  const happens: Readonly<Record<string, boolean>> = {
    start: processes.some(({ isRunning, isReady }) => isRunning && !isReady),
    // Only the history is asked for with an end, and single records after an event.
    backfill: open.some(({ path, query }) => !BY_ID.test(path) && query.includes("end=")),
    events: isSending || open.some(({ path }) => BY_ID.test(path)),
    refresh: open.some(({ grantType }) => grantType === "refresh_token"),
    reads: life.readsInFlight > 0,
  }
  const names = Object.keys(happens).filter((name) => happens[name])
  return names.length > 0 ? names : ["nothing"]
}

/** Whose grant the vendor has just renewed, or is about to: a kill may keep the new pair from being stored, and then it is lost. */
export function renewing(simulator: Simulator): number[] {
  const since = new Date(simulator.clock.nowMs() - LONGEST_RENEWAL_MS).toISOString()
  return simulator.requestLog.entries
    .slice(-1000)
    .flatMap(({ at, grantType, personId }) =>
      grantType === "refresh_token" && personId !== undefined && at > since ? [personId] : [],
    )
}
