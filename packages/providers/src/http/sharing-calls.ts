import type { VendorClient } from "./vendor-client.ts"

/** Kinds are read side by side, and some ask for the same: one call that is in progress answers all of them. */
export function sharingCalls(client: VendorClient): VendorClient {
  const running = new Map<string, ReturnType<VendorClient["read"]>>()
  return {
    ...client,
    read(call) {
      const key = JSON.stringify(call)
      const same = running.get(key)
      if (same) return same
      const answer = client.read(call).finally(() => running.delete(key))
      running.set(key, answer)
      return answer
    },
  }
}
