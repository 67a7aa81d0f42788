import { rm } from "node:fs/promises"
import { join } from "node:path"
import { createTestDatabase, makeFolder, type TestDatabase } from "@restwell/testing/database"
import { Member, readHealth } from "@restwell/testing/member"
import {
  type Replica,
  readMetrics,
  runCommand,
  serviceEnvironment,
  startInProcess,
  startTestService,
  TEST_SECRET,
  type TestService,
} from "@restwell/testing/service"
import { afterEach, beforeEach, expect, test, vi } from "vitest"

const OTHER_SECRET = "another secret, of a new installation"

let service: TestService
let target: TestDatabase
let folder: string
let port: number
beforeEach(async () => {
  folder = await makeFolder("without-secret")
  target = await createTestDatabase()
  service = await startTestService({ days: 3, environment: { BACKUP_DIR: join(folder, "scheduled") } })
  port = Number(new URL(service.url).port)
})
afterEach(async () => {
  await service.close()
  await target.drop()
  await rm(folder, { recursive: true })
})

const start = (more: Readonly<Record<string, string>>): Promise<Replica> =>
  startInProcess({
    // The same address as before, which cookies belong to.
    environment: { ...serviceEnvironment(target, service.simulator), PORT: String(port), ...more },
    clock: service.simulator.clock,
    log: [],
  })

const statusOf = async (member: Member): Promise<unknown> => {
  const { connections } = await (await member.send("GET", "/api/account")).json()
  return connections[0].status
}

test("without the secret people keep records and keys, sign in and connect again, until the secret is found", async () => {
  const { member, key } = await Member.connected(service, service.simulator.people.add({ email: "ada@vendor.example" }))
  const before = await (await readHealth(service.url, key, "?type=sleep&days=7")).json()
  const file = join(folder, "no-secret.backup")
  const made = await runCommand(["backup", file, "--without-secret"], {
    DATABASE_URL: service.store.url,
    RESTWELL_SECRET: TEST_SECRET,
  })
  expect([made.code, made.output]).toEqual([0, expect.stringContaining("It does not contain the secret")])
  await service.closeFirst()
  const place = { DATABASE_URL: target.url, RESTWELL_SECRET: OTHER_SECRET }
  const restored = await runCommand(["restore", file], place)
  expect([restored.code, restored.output]).toEqual([0, expect.stringContaining("The backup has no secret.")])

  const other = await start({ RESTWELL_SECRET: OTHER_SECRET })
  expect(await (await readHealth(other.url, key, "?type=sleep&days=7")).json()).toMatchObject({
    records: before.records,
  })
  expect((await member.send("GET", "/api/account")).status).toBe(401)
  const { email, password } = member
  expect((await member.send("POST", "/api/auth/sign-in/email", { email, password })).status).toBe(200)
  service.simulator.clock.advance(2 * 3_600_000)
  await member.send("POST", "/api/connections/whoop/sync")
  await vi.waitFor(async () => expect(await statusOf(member)).toBe("reauthorization_required"), 20_000)
  await other.close()

  const found = await start({ RESTWELL_SECRET: OTHER_SECRET, RESTWELL_FORMER_SECRETS: JSON.stringify([TEST_SECRET]) })
  await vi.waitFor(async () => expect(await statusOf(member)).toBe("ok"), 20_000)
  await found.close()
})

test("a service that runs makes its scheduled backup, shows it in its metrics, and keeps a restore away", async () => {
  const metrics = () => readMetrics(service)
  await vi.waitFor(async () => expect(await metrics()).toMatch(/^restwell_backup_last_bytes \d{4,}$/m), 20_000)
  expect(await metrics()).toMatch(/^restwell_backup_failed 0$/m)
  expect(await metrics()).toMatch(/^restwell_backup_last_success_timestamp_seconds \d{10}/m)
  const file = join(folder, "any.backup")
  const place = { DATABASE_URL: service.store.url, RESTWELL_SECRET: TEST_SECRET }
  expect((await runCommand(["backup", file], place)).code).toBe(0)
  for (const url of [service.store.url, `${service.store.url}&application_name=ours`]) {
    const refused = await runCommand(["restore", file, "--replace"], { ...place, DATABASE_URL: url })
    expect([refused.code, refused.errors]).toEqual([
      1,
      expect.stringMatching(
        /Restwell runs on this database: stop every process of it first, .* Nothing was changed\n$/,
      ),
    ])
  }
  await service.closeFirst()
  expect((await runCommand(["restore", file, "--replace"], place)).code).toBe(0)
})
