import { setTimeout as wait } from "node:timers/promises"
import type { ClientConfig } from "pg"
import { type Cluster, ServerDidNotStart } from "./cluster.ts"
import { isServing, serverPid, stopServer } from "./server-process.ts"
import { findRunningService } from "./service-lock.ts"

/** A killed service loses its lock within this time, a new one has taken it, and a guard has begun to stop its server. */
const PATIENCE_MS = 2_000
const LOOK_AGAIN_MS = 50

/**
 * Waits until no server runs on the cluster: that of a killed service is being stopped by its guard. Stops it if the guard was killed too.
 * @throws {AlreadyRunning} when it is another service's
 * @throws while the server starts or stops, when it accepts no connection
 */
export async function untilOthersEnded(cluster: Cluster, connection: ClientConfig, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (await isServing(cluster)) {
    const pid = await serverPid(cluster)
    const other = await findRunningService(connection)
    if (performance.now() > deadline) {
      if (other) throw other
      if (pid === undefined)
        throw new ServerDidNotStart(
          `a PostgreSQL runs in ${cluster.home.directory}, in another container or on another machine: stop it first`,
        )
      return await stopServer(cluster, pid)
    }
    await wait(LOOK_AGAIN_MS, undefined, { signal })
  }
}
