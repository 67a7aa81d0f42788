import { chmod, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Simulator, startSimulator } from "@restwell/simulator"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type Config, loadConfig } from "../../packages/server/src/config/config.ts"
import { openSecrets } from "../../packages/server/src/config/open-secrets.ts"
import { freePort } from "../../packages/server/src/demo/free-port.ts"
import { createLogger } from "../../packages/server/src/log/logger.ts"
import { type Service, startService } from "../../packages/server/src/service.ts"
import { Member } from "../support/member.ts"
import { refreshAll, restwell } from "../support/rotation.ts"

const MEMBERS = 3

let simulator: Simulator
let dataDir: string
let service: Service
let log: string[]
let config: Config
beforeEach(async () => {
  simulator = await startSimulator({ days: 4, defaultPeople: false, autoApprove: true, rateLimits: "off" })
  dataDir = await mkdtemp(join(tmpdir(), "restwell-rotate-"))
  // For root: PostgreSQL's own user walks through it.
  await chmod(dataDir, 0o755)
  log = []
  config = loadConfig({
    PORT: String(await freePort(0)),
    DATA_DIR: dataDir,
    WHOOP_CLIENT_ID: "simulator-client",
    WHOOP_CLIENT_SECRET: "simulator-secret",
    WHOOP_BASE_URL: simulator.url,
    WHOOP_CALLS_PER_MINUTE: "1000000",
    WHOOP_CALLS_PER_DAY: "1000000",
  })
  await start()
})
afterEach(async () => {
  await service.close()
  await simulator.close()
  await rm(dataDir, { recursive: true })
})

async function start(): Promise<void> {
  service = await startService({
    config,
    secrets: await openSecrets(config),
    clock: { now: () => simulator.clock.now() },
    logger: createLogger("debug", { write: (line: string) => void log.push(line) }),
    onFatal: (error) => {
      throw error
    },
  })
}

const kept = async (): Promise<string> => (await readFile(join(dataDir, "secret"), "utf8")).trim()

test("one command replaces the secret in DATA_DIR while the service runs, which goes on without a restart", async () => {
  const people = Array.from({ length: MEMBERS }, (_, index) =>
    simulator.people.add({ email: `${index}@vendor.example` }),
  )
  const address = { url: service.baseUrl }
  const members = await Promise.all(people.map(async (person) => (await Member.connected(address, person)).member))
  const first = await kept()
  let isRotated = false
  const refreshing = (async () => {
    while (!isRotated) await refreshAll(simulator, members)
  })()
  const rotated = await restwell("rotate-secret", { DATA_DIR: dataDir })
  isRotated = true
  await refreshing
  expect(rotated.said).toContain("everything is encrypted with the current secret")
  expect(rotated.code).toBe(0)
  const second = await kept()
  expect(second).not.toBe(first)
  await refreshAll(simulator, members)
  const again = await restwell("re-encrypt", { DATA_DIR: dataDir })
  expect(again.said).toContain("vendor tokens: 0 re-encrypted\n")

  await service.close()
  const offline = await restwell("rotate-secret", { DATA_DIR: dataDir })
  expect(offline.said).toContain(`vendor tokens: ${2 * MEMBERS} re-encrypted\n`)
  expect(offline.code).toBe(0)

  // Everybody is still signed in, by cookies of the first secret.
  await start()
  await refreshAll(simulator, members)
  expect(log.join("\n")).not.toMatch(/cannot be opened|authorization_revoked|sync failed/)
  const said = log.join("\n") + rotated.said + again.said + offline.said
  for (const secret of [first, second, await kept()]) expect(said).not.toContain(secret)
}, 120_000)

test("where the operator sets the secret, the command says how it is changed, and changes nothing", async () => {
  const before = await kept()
  const { code, said } = await restwell("rotate-secret", { DATA_DIR: dataDir, RESTWELL_SECRET: "s".repeat(32) })
  expect(code).toBe(1)
  expect(said).toContain("RESTWELL_FORMER_SECRETS of every process")
  expect(await kept()).toBe(before)
})
