import { createWriteStream } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { receiveImport, runImports } from "@restwell/core"
import { whoopArchive } from "@restwell/testing/archive"
import { startPostgres } from "@restwell/testing/database"
import { Member } from "@restwell/testing/member"
import { serviceEnvironment, spawnCommand, startServiceProcess } from "@restwell/testing/service"
import { createWorld, storedRows, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { query } from "../whole/query.ts"
import { importArchive, readImport } from "./import-archive.ts"
import { uploadArchive } from "./upload-archive.ts"

let world: World
let folder: string
let bytes: Buffer
let expected: Awaited<ReturnType<typeof storedRows>>
let report: unknown
beforeAll(async () => {
  world = await createWorld({ days: 400, seed: "interrupted" })
  folder = await mkdtemp(join(tmpdir(), "restwell-import-"))
  const person = world.simulator.people.add({ email: "lena@vendor.example" })
  bytes = whoopArchive(world.simulator.records(person))
  const userId = await world.addUser()
  report = (await importArchive(world, userId, { bytes })).report
  expected = await storedRows(world, userId)
  await writeFile(join(folder, "archive.zip"), bytes)
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await world.close()
})

test("an import that was killed at 10 moments goes on elsewhere, and loses and doubles nothing", async () => {
  const environment = serviceEnvironment(world.store, world.simulator)
  for (let moment = 0; moment < 10; moment += 1) {
    const id = `killed-${moment}`
    const email = `${id}@example.com`
    const userId = await world.addUser({ id, email })
    const child = spawnCommand(["import", join(folder, "archive.zip"), "--account", email], environment)
    child.stderr?.pipe(createWriteStream(join(folder, `${id}.log`)))
    await untilReceived(userId)
    await wait(moment * 80)
    child.kill("SIGKILL")
    await expect.poll(() => runAgain(userId), { timeout: 30_000, interval: 100 }).toBe("done")
    const { rows } = await world.store.pool.query("select id from restwell.import where user_id = $1", [userId])
    expect(rows).toHaveLength(1)
    const { status, report: found } = await readImport(world, userId, rows[0].id)
    expect({ status, found }).toEqual({ status: "done", found: report })
    expect(await storedRows(world, userId)).toEqual(expected)
  }
}, 240_000)

/** What another process does, without the 15 seconds after which the silence of a dead process counts. */
async function runAgain(userId: string): Promise<string> {
  await world.store.pool.query(
    "update restwell.import set claimed_at = null where user_id = $1 and status = 'running'",
    [userId],
  )
  await runImports(world.context, { signal: new AbortController().signal })
  const { rows } = await world.store.pool.query("select status from restwell.import where user_id = $1", [userId])
  return rows[0].status
}

async function untilReceived(userId: string): Promise<void> {
  for (;;) {
    const { rows } = await world.store.pool.query(
      "select from restwell.import where user_id = $1 and status <> 'receiving'",
      [userId],
    )
    if (rows.length > 0) return
    await wait(5)
  }
}

test("an upload that breaks off leaves nothing", async () => {
  const userId = await world.addUser()
  const content = (async function* () {
    yield bytes.subarray(0, 2_000)
    throw new Error("the connection was closed")
  })()
  const upload = receiveImport(world.context, { userId, fileName: "x.zip", content, includesPrivate: () => false })
  await expect(upload).rejects.toThrow("the connection was closed")
  const { rows } = await world.store.pool.query("select from restwell.import where user_id = $1", [userId])
  expect(rows).toEqual([])
})

test("an import that is stopped between two chunks waits for another process", async () => {
  const userId = await world.addUser()
  const content = (async function* () {
    yield bytes
  })()
  const id = await receiveImport(world.context, { userId, fileName: "x.zip", content, includesPrivate: () => false })
  const stopping = new AbortController()
  const running = runImports(world.context, { signal: stopping.signal })
  await wait(40)
  stopping.abort()
  await running
  expect((await readImport(world, userId, id)).status).toMatch(/queued|done/)
  await runImports(world.context, { signal: new AbortController().signal })
  expect((await readImport(world, userId, id)).status).toBe("done")
  expect(await storedRows(world, userId)).toEqual(expected)
})

test("an import goes on within 5 seconds after the database has come back", async () => {
  const postgres = await startPostgres()
  const service = await startServiceProcess({ environment: serviceEnvironment(postgres, world.simulator) })
  try {
    const member = new Member(service)
    await member.signUp()
    const readImports = () => query(postgres.url, "select status, claimed_by from restwell.import")
    expect((await uploadArchive(service.url, member, bytes)).status).toBe(202)
    await expect.poll(readImports, { timeout: 30_000, interval: 5 }).toMatchObject([{ status: "running" }])
    const [before] = await readImports()
    await postgres.stop("immediate")
    await expect.poll(() => service.log.join("\n"), { timeout: 30_000 }).toMatch(/connect (?:ENOENT|ECONNREFUSED)/)
    await postgres.start()
    const backAt = performance.now()
    await expect
      .poll(async () => (await readImports())[0]?.["claimed_by"], { timeout: 30_000, interval: 20 })
      .not.toBe(before?.["claimed_by"])
    expect(performance.now() - backAt).toBeLessThan(5_000)
    await expect.poll(readImports, { timeout: 60_000 }).toMatchObject([{ status: "done" }])
  } finally {
    await service.stop("SIGKILL")
    await postgres.remove()
  }
}, 120_000)
