import { once } from "node:events"
import { rm } from "node:fs/promises"
import type { Server } from "node:net"
import { type CheckResult, runChecks } from "@restwell/server/doctor"
import { makeFolder } from "@restwell/testing/database"
import { Member } from "@restwell/testing/member"
import { serviceEnvironment, startTestService, type TestService, vendorEnvironment } from "@restwell/testing/service"
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, vi } from "vitest"
import { query } from "../whole/query.ts"
import { type SwitchableProxy, startProxy } from "./switchable-proxy.ts"

const VERSION = "0.1.0"

export let service: TestService
export let proxy: SwitchableProxy
export let folder: string
export let healthy: Record<string, string>

/** The installation of a test file. Call it at the top of the file. */
export function useInstallation(): void {
  beforeAll(async () => {
    proxy = await startProxy()
    // No worker, so that nothing but this test changes the connections.
    service = await startTestService({
      vendor: "oura",
      role: "api",
      environment: { BASE_URL: proxy.url, TRUST_PROXY: "127.0.0.1" },
    })
    proxy.target = service.url
    const owner = new Member(service)
    await owner.setUp()
    await owner.at({ url: proxy.url }).connect(service.simulator.people.add({ email: "ada@vendor.example" }), "oura")
    folder = await makeFolder("doctor")
    healthy = {
      ...serviceEnvironment(service.store, service.simulator),
      ...vendorEnvironment(service.simulatorOf("oura"), "oura"),
      PORT: new URL(service.url).port,
      HOST: "localhost",
      BASE_URL: proxy.url,
      TRUST_PROXY: "127.0.0.1",
      DATA_DIR: folder,
      MAX_CONNECTIONS: "100",
    }
    await subscribe()
  }, 60_000)
  afterAll(async () => {
    await service.close()
    await proxy.close()
    await rm(folder, { recursive: true })
  })
  beforeEach(() => {
    proxy.target = service.url
    proxy.forwardedFor = "append"
    proxy.dropped = []
    proxy.blocked = undefined
  })
}

/** Subscribes to the webhooks of Oura, as a worker does. */
async function subscribe(): Promise<void> {
  const worker = await service.startReplica("worker", { BASE_URL: proxy.url })
  await vi.waitUntil(() => service.simulatorOf("oura").subscriptions().length > 0, { timeout: 30_000 })
  const isSynced = async () => (await sql("select 1 from restwell.connection where status = 'ok'")).length === 1
  await vi.waitUntil(isSynced, { timeout: 30_000, interval: 200 })
  await worker.close()
}

export const sql = (text: string) => query(service.store.url, text)

export async function examine(environment: Readonly<Record<string, string>> = {}): Promise<CheckResult[]> {
  return await runChecks({
    environment: { ...healthy, ...environment },
    clock: { now: () => new Date(service.simulator.clock.nowMs()) },
    version: VERSION,
    signal: new AbortController().signal,
  })
}

export const faultsOf = (results: readonly CheckResult[]): string[] =>
  results.flatMap((result) =>
    result.status === "failed" ? [`${result.check}: ${result.message}: ${result.remedy}`] : [],
  )

/** Expects that there is one fault, with this text. */
export async function expectFault(
  text: string | RegExp,
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const faults = faultsOf(await examine(environment))
  expect(faults).toEqual([expect.stringMatching(text)])
  expect(faults[0]).not.toContain("\n")
}

export async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === "string") throw new TypeError("it listens on no port")
  return address.port
}

/** Runs a statement now, and another one after the test. */
export async function change(text: string, undo: string): Promise<void> {
  await sql(text)
  onTestFinished(async () => void (await sql(undo)))
}
