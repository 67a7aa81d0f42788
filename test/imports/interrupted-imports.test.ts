import { setTimeout as wait } from "node:timers/promises"
import { receiveImport, runImports } from "@restwell/core"
import { garminArchive, garminRows, startOuraSimulator } from "@restwell/simulator"
import { whoopArchive } from "@restwell/testing/archive"
import { startPostgres } from "@restwell/testing/database"
import { Member } from "@restwell/testing/member"
import { serviceEnvironment, startServiceProcess } from "@restwell/testing/service"
import { createWorld, storedRows, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { query } from "../whole/query.ts"
import { importArchive, readImport, receiveArchive } from "./import-archive.ts"
import { surviveImportKills } from "./survive-import-kills.ts"
import { uploadArchive } from "./upload-archive.ts"

let world: World
let bytes: Buffer
let expected: Awaited<ReturnType<typeof storedRows>>
beforeAll(async () => {
  world = await createWorld({ days: 400, seed: "interrupted" })
  const person = world.simulator.people.add({ email: "lena@vendor.example" })
  bytes = whoopArchive(world.simulator.records(person))
  const userId = await world.addUser()
  await importArchive(world, userId, { bytes })
  expected = await storedRows(world, userId)
})
afterAll(async () => {
  await world.close()
})

test("an import that was killed at 4 moments goes on elsewhere, and loses and doubles nothing", async () => {
  await surviveImportKills(world, { bytes, fileName: "archive.zip" }, [0, 160, 400, 720])
}, 240_000)

test("so does one of Garmin's archive, with its inner files and samples", async () => {
  const oura = await startOuraSimulator({ seed: 3, now: world.simulator.clock.now(), days: 120 })
  const [person] = oura.people.list()
  if (!person) throw new Error("nobody at Oura")
  const garmin = garminArchive(garminRows(oura.records(person)))
  await oura.close()
  await surviveImportKills(world, { bytes: garmin, fileName: "garmin.zip" }, [20, 120, 300])
}, 240_000)

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
  const id = await receiveArchive(world, userId, { fileName: "x.zip", bytes })
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
    const readImports = () =>
      query(
        postgres.url,
        "select i.status, j.claim from restwell.import i left join restwell.job j on j.key = i.id::text",
      )
    expect((await uploadArchive(service.url, member, bytes)).status).toBe(202)
    await expect.poll(readImports, { timeout: 30_000, interval: 5 }).toMatchObject([{ status: "running" }])
    const [before] = await readImports()
    await postgres.stop("immediate")
    await expect.poll(() => service.log.join("\n"), { timeout: 30_000 }).toMatch(/connect (?:ENOENT|ECONNREFUSED)/)
    await postgres.start()
    const backAt = performance.now()
    await expect
      .poll(async () => (await readImports())[0]?.["claim"], { timeout: 30_000, interval: 20 })
      .not.toBe(before?.["claim"])
    expect(performance.now() - backAt).toBeLessThan(5_000)
    await expect.poll(readImports, { timeout: 60_000 }).toMatchObject([{ status: "done" }])
  } finally {
    await service.stop("SIGKILL")
    await postgres.remove()
  }
}, 120_000)
