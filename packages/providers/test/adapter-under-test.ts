import { type AdapterOptions, createWhoopAdapter } from "../src/index.ts"
import { createRecordingGate } from "./recording-gate.ts"

/** A WHOOP adapter that waits no real time, with its gate and the pauses it made. */
export function adapterUnderTest(baseUrl: string, options: Partial<AdapterOptions> = {}) {
  const gate = createRecordingGate()
  const pauses: number[] = []
  const adapter = createWhoopAdapter({
    clientId: "client-1",
    clientSecret: "client-secret-1",
    baseUrl,
    gate,
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
