import type { Simulator } from "@restwell/simulator"
import { type Engines, type InstalledPostgres, startCluster, startPgBouncer } from "@restwell/testing/engines"
import { quotaOf, TEST_SECRET, vendorEnvironment } from "@restwell/testing/service"
import { startVendor, type VendorUnderTest, whoopUnderTest } from "@restwell/testing/vendor"
import { expect } from "vitest"
import { KillableService } from "../crash/killable-service.ts"
import { openVirtualAddress } from "./virtual-address.ts"

/** How the services reach the primary: an address that moves, or PgBouncer in transaction mode. */
export type Route = "address" | "pgbouncer"

/** WHOOP retries a webhook five times in an hour. Here it retries each second, so that none is given up. */
const RETRIES = Array.from({ length: 600 }, () => 1_000)
const REFRESH_REPLY_MS = 40

/** Two processes on a primary with a synchronous standby. */
export interface Installation extends AsyncDisposable {
  readonly primary: InstalledPostgres
  readonly standby: InstalledPostgres
  readonly urls: readonly [string, string]
  readonly whoop: Simulator
  readonly vendor: VendorUnderTest
  /** New connections lead to this server. */
  pointTo(server: InstalledPostgres): Promise<void>
}

export async function openInstallation(engines: Engines, route: Route, seed: string): Promise<Installation> {
  await using started = new AsyncDisposableStack()
  const primary = await startCluster(engines)
  started.defer(() => primary.remove())
  const standby = await primary.addSynchronousStandby()
  started.defer(() => standby.remove())
  const { port, pointTo } = await openRoute(engines, route, primary.port, started)
  const services = await startServices(`postgres://restwell@127.0.0.1:${port}/restwell`, seed, started)
  const running = started.move()
  return {
    primary,
    standby,
    ...services,
    pointTo: async (server) => pointTo(server.port),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Two processes on a database, and the vendor, which repeats its webhooks until they arrive. */
export async function startServices(databaseUrl: string, seed: string, started: AsyncDisposableStack) {
  const whoop = await startVendor({ seed })
  started.defer(() => whoop.close())
  const vendor = whoopUnderTest(whoop)
  whoop.webhooks.manners.retryAfterMs = RETRIES
  whoop.faults.add({ match: { path: vendor.paths.token }, kind: "late_reply", ms: REFRESH_REPLY_MS })
  const urls = await startProcesses({ DATABASE_URL: databaseUrl, ...vendorEnvironment(whoop) }, started)
  whoop.webhooks.urls = urls.map((each) => `${each}/api/webhooks/whoop`)
  return { urls, whoop, vendor }
}

async function openRoute(engines: Engines, route: Route, serverPort: number, started: AsyncDisposableStack) {
  if (route === "pgbouncer") {
    const pgbouncer = await startPgBouncer(engines, { serverPort })
    started.defer(() => pgbouncer.remove())
    return pgbouncer
  }
  const address = await openVirtualAddress(serverPort)
  started.defer(() => address.close())
  return address
}

async function startProcesses(
  environment: Readonly<Record<string, string>>,
  started: AsyncDisposableStack,
): Promise<readonly [string, string]> {
  const all = { ...environment, RESTWELL_SECRET: TEST_SECRET, SIGN_UP: "open", ...quotaOf(999_999_999) }
  const first = new KillableService(all)
  // Both are one service, with one address for people and assistants.
  const second = new KillableService({ ...all, BASE_URL: first.url })
  for (const each of [first, second]) {
    started.defer(() => each.stop())
    each.start()
  }
  const areReady = await Promise.all([first.becomesReady(), second.becomesReady()])
  expect(areReady, `${first.lastLines}\n${second.lastLines}`).toEqual([true, true])
  return [first.url, second.url]
}
