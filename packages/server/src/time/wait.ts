import { setTimeout as timer } from "node:timers/promises"

/** Resolves after that time on the service's clock. Rejects when the signal aborts. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>

/** Waits in real time, and keeps no process from ending. */
export const waitUnreferenced = (milliseconds: number): Promise<void> => timer(milliseconds, undefined, { ref: false })

/** Waits in real time. */
export const waitInRealTime: Wait = (milliseconds, signal) => timer(milliseconds, undefined, { signal })
