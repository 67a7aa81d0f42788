// The job queue of a world's database, as the service runs it, without work beside syncs.
import type { PoolSettings } from "@restwell/core"
import { createJobs, type Jobs } from "@restwell/server/jobs"
import { poolsOn } from "@restwell/server/pools"
import { waitInRealTime } from "@restwell/server/wait"
import type { World } from "@restwell/testing/world"

const NO_WORK = { places: () => [], run: async () => undefined }

/** Syncs at a time: `concurrency` of any kind, and beside them `urgentConcurrency` that are no histories. */
export const workers = (concurrency: number, urgentConcurrency: number) => ({
  concurrency,
  urgentConcurrency,
  meter: () => {},
  imports: { run: async () => undefined },
  optional: { mail: NO_WORK, backup: NO_WORK, subscription: NO_WORK, delivery: NO_WORK, notify: NO_WORK },
})

export function openQueue({ context }: World, connection: PoolSettings, started: AsyncDisposableStack): Jobs {
  const { clock, logger } = context
  const openPool = poolsOn(connection, logger, started)
  const jobs = createJobs({ openPool, clock, logger, wait: waitInRealTime, isListening: true })
  started.defer(() => jobs.stop())
  return jobs
}
