import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import type { Simulator } from "@restwell/simulator"
import { makeFolder } from "@restwell/testing/database"
import { Member } from "@restwell/testing/member"
import { type ReservedPort, reservePort } from "@restwell/testing/port"
import { type Replica, runCommand, startInProcess, vendorEnvironment } from "@restwell/testing/service"
import { startVendor } from "@restwell/testing/vendor"
import { afterEach, beforeEach, expect, test } from "vitest"
import { refreshAll } from "./refresh-all.ts"

const MEMBERS = 3

let simulator: Simulator
let dataDir: string
let port: ReservedPort
let service: Replica
let log: string[]
beforeEach(async () => {
  simulator = await startVendor({ days: 4 })
  dataDir = await makeFolder("rotate")
  port = reservePort()
  log = []
  await start()
})
afterEach(async () => {
  await service.close()
  port[Symbol.dispose]()
  await simulator.close()
  await rm(dataDir, { recursive: true })
})

async function start(): Promise<void> {
  service = await startInProcess({
    environment: { ...vendorEnvironment(simulator), DATA_DIR: dataDir, PORT: String(port.port) },
    clock: simulator.clock,
    log,
  })
}

const kept = async (): Promise<string> => (await readFile(join(dataDir, "secret"), "utf8")).trim()

test("one command replaces the secret in DATA_DIR while the service runs, without a restart", async () => {
  const people = Array.from({ length: MEMBERS }, (_, index) =>
    simulator.people.add({ email: `${index}@vendor.example` }),
  )
  const members = await Promise.all(people.map(async (person) => (await Member.connected(service, person)).member))
  const first = await kept()
  let isRotated = false
  const refreshing = (async () => {
    while (!isRotated) await refreshAll(simulator, members)
  })()
  const rotated = await runCommand(["rotate-secret"], { DATA_DIR: dataDir })
  isRotated = true
  await refreshing
  expect(rotated.output).toContain("everything is encrypted with the current secret")
  expect(rotated.code).toBe(0)
  const second = await kept()
  expect(second).not.toBe(first)
  await refreshAll(simulator, members)
  const again = await runCommand(["re-encrypt"], { DATA_DIR: dataDir })
  expect(again.output).toContain("vendor tokens: 0 re-encrypted\n")

  await service.close()
  const offline = await runCommand(["rotate-secret"], { DATA_DIR: dataDir })
  expect(offline.output).toContain(`vendor tokens: ${2 * MEMBERS} re-encrypted\n`)
  expect(offline.code).toBe(0)

  // All members are still signed in, with cookies of the first secret.
  await start()
  await refreshAll(simulator, members)
  expect(log.join("\n")).not.toMatch(/UnreadableSecret|could not decrypt|authorization_revoked|sync failed/)
  const said = log.join("\n") + rotated.output + again.output + offline.output
  for (const secret of [first, second, await kept()]) expect(said).not.toContain(secret)
}, 120_000)

test("if the operator sets the secret, the command explains how to change it, and changes nothing", async () => {
  const before = await kept()
  const { code, output } = await runCommand(["rotate-secret"], { DATA_DIR: dataDir, RESTWELL_SECRET: "s".repeat(32) })
  expect(code).toBe(1)
  expect(output).toContain("RESTWELL_FORMER_SECRETS of every process")
  expect(await kept()).toBe(before)
})
