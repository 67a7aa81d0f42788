// Tells who waits for a change of a person's data, whichever process writes it.
import { SECOND_MS } from "@restwell/client/time-units"
import type { Pool } from "pg"
import type { Context } from "../context/context.ts"
import { readVersions } from "../store/statements/read-clock.ts"
import type { HealthSnapshot } from "../store/statements/read-health.ts"

/** How often the data versions are looked at while anybody waits. */
const LOOK_EVERY_MS = SECOND_MS

type SeenData = Pick<HealthSnapshot, "userId" | "dataVersion">

/** Resolves once a person's data no longer have the version that was seen, or with the signal. */
type DataChange = (seen: SeenData, signal: AbortSignal) => Promise<void>

/** One statement a second for all who wait in this process, and none while nobody does. No connection is kept in between. */
export function watchDataChanges({ wait }: Pick<Context, "wait">, pool: Pool): DataChange {
  const waiting = new Map<() => void, SeenData>()
  let isLooking = false
  const tellChanged = async (): Promise<void> => {
    const versions = await readVersions(pool, [...new Set([...waiting.values()].map(({ userId }) => userId))])
    for (const [tell, { userId, dataVersion }] of waiting) if (versions.get(userId) !== dataVersion) tell()
  }
  const lookWhileAnybodyWaits = async (): Promise<void> => {
    if (isLooking) return
    isLooking = true
    while (waiting.size > 0) {
      await wait(LOOK_EVERY_MS)
      // Their own next look says what is wrong with the database.
      await tellChanged().catch(() => {
        for (const tell of waiting.keys()) tell()
      })
    }
    isLooking = false
  }
  return async (seen, signal) => {
    if (signal.aborted) return
    const { promise: told, resolve } = Promise.withResolvers<void>()
    const tell = () => resolve()
    signal.addEventListener("abort", tell, { once: true })
    waiting.set(tell, seen)
    void lookWhileAnybodyWaits()
    await told
    waiting.delete(tell)
    signal.removeEventListener("abort", tell)
  }
}
