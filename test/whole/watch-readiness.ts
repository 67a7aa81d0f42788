import { setTimeout as wait } from "node:timers/promises"
import type { Balancer } from "./balancer.ts"

/** Time between two readiness checks of a replica. */
const CHECK_INTERVAL_MS = 100
const CHECK_TIMEOUT_MS = 2_000
/** Failed checks in a row after which a replica gets no more requests. */
const MAX_FAILURES = 2

export interface ReadinessWatch {
  /** Resolves once this many replicas are ready. */
  untilReady(count: number): Promise<void>
  stop(): Promise<void>
}

/** Checks `/readyz` of each replica, and lets the balancer send requests only to those that are ready. */
export function watchReadiness(balancer: Balancer, replicas: readonly string[]): ReadinessWatch {
  const ready = new Set<string>()
  let isStopped = false
  const watch = async (replica: string): Promise<void> => {
    for (let failures = 0; !isStopped; await wait(CHECK_INTERVAL_MS)) {
      failures = (await isReady(replica).catch(() => false)) ? 0 : failures + 1
      if (failures === 0) ready.add(replica)
      else if (failures >= MAX_FAILURES) ready.delete(replica)
      balancer.between(...[...ready].map((url) => ({ url })))
    }
  }
  const watching = replicas.map(watch)
  return {
    async untilReady(count) {
      while (ready.size < count) await wait(CHECK_INTERVAL_MS)
    },
    async stop() {
      isStopped = true
      await Promise.all(watching)
    },
  }
}

async function isReady(replica: string): Promise<boolean> {
  const answer = await fetch(`${replica}/readyz`, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) })
  await answer.arrayBuffer()
  return answer.ok
}
