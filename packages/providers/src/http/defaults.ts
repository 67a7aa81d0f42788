import { setTimeout as timer } from "node:timers/promises"
import type { AdapterOptions } from "../contract/adapter.ts"

/** Limit of one exchange, milliseconds. */
const TIMEOUT_MS = 20_000
/** Far above any page of records, bytes. It limits the cost of a broken vendor. */
const MAX_BODY_BYTES = 8 * 1024 * 1024

/** Returns an adapter's options with the defaults for everything left out. */
export const withDefaults = (options: AdapterOptions) => ({
  timeoutMs: TIMEOUT_MS,
  maxBodyBytes: MAX_BODY_BYTES,
  fetch: globalThis.fetch,
  delay: (delayMs: number) => timer(delayMs),
  random: Math.random,
  ...options,
})
