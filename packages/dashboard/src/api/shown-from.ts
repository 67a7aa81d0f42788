import { useSyncExternalStore } from "react"

/** When the oldest answer on the screen came from the service, while that is out of reach. Undefined with a connection. */
let shownFrom: string | undefined
const listeners = new Set<() => void>()

/** Notes an answer of the service. @param storedAt when it was kept, or null for one that came just now */
export function noteAnswer(storedAt: string | null): void {
  const next = storedAt === null ? undefined : shownFrom === undefined || storedAt < shownFrom ? storedAt : shownFrom
  if (next === shownFrom) return
  shownFrom = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The instant of which the page shows what it last saw; undefined with a connection. */
export const useShownFrom = (): string | undefined => useSyncExternalStore(subscribe, () => shownFrom)
