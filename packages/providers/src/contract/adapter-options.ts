import type { CallGate } from "./adapter.ts"

/** The part of the built-in `fetch` that adapters use. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>

/** What every vendor's adapter is made from. */
export interface AdapterOptions {
  /** The operator's own app at the vendor. */
  readonly clientId: string
  readonly clientSecret: string
  /** Origin of the vendor's servers, or of a stand-in. */
  readonly baseUrl: string
  readonly gate: CallGate
  /** For one whole exchange, from connecting to the body's last byte, milliseconds. @default 20000 */
  readonly timeoutMs?: number
  /** @default the built-in fetch */
  readonly fetch?: Fetch
  /** Resolves after so many milliseconds. @default a timer */
  readonly delay?: (delayMs: number) => Promise<void>
  /** In [0, 1): spreads retries. @default Math.random */
  readonly random?: () => number
}
