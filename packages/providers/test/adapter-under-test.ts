import { createWhoopAdapter, type OauthAdapter, type OauthAdapterOptions } from "../src/index.ts"
import { createRecordingGate } from "./recording-gate.ts"

/** An adapter that waits no real time, with its gate and the pauses it made. WHOOP's unless another is given. */
export function adapterUnderTest(
  baseUrl: string,
  options: Partial<OauthAdapterOptions> = {},
  createAdapter: (options: OauthAdapterOptions) => OauthAdapter = createWhoopAdapter,
) {
  const gate = createRecordingGate()
  const pauses: number[] = []
  const adapter = createAdapter({
    clientId: "client-1",
    clientSecret: "client-secret-1",
    baseUrl,
    gate,
    now: () => new Date(),
    random: () => 0,
    delay: async (delayMs) => {
      pauses.push(delayMs)
    },
    ...options,
  })
  return { adapter, gate, pauses }
}

/** What a promise is rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error("The promise was kept")
}
