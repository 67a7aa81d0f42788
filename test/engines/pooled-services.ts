import type { Simulator } from "@restwell/simulator"
import {
  type Engines,
  type InstalledPostgres,
  type PgBouncer,
  startCluster,
  startPgBouncer,
} from "@restwell/testing/engines"
import { quotaOf, serviceEnvironment, startServiceProcess } from "@restwell/testing/service"
import { startVendor } from "@restwell/testing/vendor"
import { expect } from "vitest"

/** Sessions that PgBouncer shares among all connections of the services. */
export const POOL_SIZE = 8

/** Two processes of one service whose database is behind PgBouncer in transaction mode. */
export interface PooledServices extends AsyncDisposable {
  readonly urls: readonly [string, string]
  readonly whoop: Simulator
  readonly server: InstalledPostgres
  readonly pgbouncer: PgBouncer
}

/** Starts them without a setting that names the pooler. */
export async function startPooledServices(engines: Engines, monthlyLimit: number): Promise<PooledServices> {
  await using started = new AsyncDisposableStack()
  const server = await startCluster(engines, { fsync: "off" })
  started.defer(() => server.remove())
  const settings = { default_pool_size: String(POOL_SIZE) }
  const pgbouncer = await startPgBouncer(engines, { serverPort: server.port, settings })
  started.defer(() => pgbouncer.remove())
  const whoop = await startVendor({ seed: "pooled", days: 40 })
  started.defer(() => whoop.close())
  const start = async (more: Readonly<Record<string, string>> = {}): Promise<string> => {
    const limit = quotaOf(monthlyLimit)
    const { url, log, stop } = await startServiceProcess({
      environment: { ...serviceEnvironment(pgbouncer, whoop), ...limit, ...more },
    })
    started.defer(async () => void (await stop()))
    expect(log.join()).toContain("a pooler is in front of the database")
    return url
  }
  const first = await start()
  const urls = [first, await start({ BASE_URL: first })] as const
  whoop.webhooks.urls = urls.map((url) => `${url}/api/webhooks/whoop`)
  const running = started.move()
  return { urls, whoop, server, pgbouncer, [Symbol.asyncDispose]: () => running.disposeAsync() }
}
