// A process that ends while it reads an archive: the archive is read again, unless reading it is what ends processes.
import { claimJob, IMPORT_PLACES, runImports } from "@restwell/core"
import { whoopArchive } from "@restwell/testing/archive"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { readImport, receiveArchive } from "./import-archive.ts"

let world: World
let bytes: Buffer
beforeAll(async () => {
  world = await createWorld({ days: 5, seed: "deaths" })
  bytes = whoopArchive(world.simulator.records(world.simulator.people.add({ email: "ada@vendor.example" })))
})
afterAll(() => world.close())

async function upload() {
  const userId = await world.addUser()
  return { userId, id: await receiveArchive(world, userId, { fileName: "export.zip", bytes }) }
}

const signal = new AbortController().signal

/** Leaves what a process leaves that ends while it reads this fraction of the file. The next one takes over, and waits for the disk. */
async function die(id: string, progress: number): Promise<void> {
  const { pool } = world.store
  await pool.query("update restwell.import set status = 'running', progress = $2 where id = $1", [id, progress])
  await pool.query(
    "update restwell.job set claim = gen_random_uuid(), alive_at = now() - interval '1 minute' where key = $1",
    [id],
  )
  await runImports(
    { ...world.context, disk: { ...world.context.disk, freeBytes: async () => 0 } },
    { signal, only: id },
  )
}

test("an archive at one place of which three processes ended is refused in words", async () => {
  const { userId, id } = await upload()
  for (const progress of [0.4, 0.405]) await die(id, progress)
  expect(await readImport(world, userId, id)).toMatchObject({ status: "queued" })
  await die(id, 0.4)
  expect(await readImport(world, userId, id)).toMatchObject({
    status: "failed",
    error: "export.zip: reading it ended the server 3 times, order an export of a shorter time and upload the new file",
  })
  const { rows } = await world.store.pool.query("select from restwell.job where key = $1", [id])
  expect(rows).toEqual([])
})

test("an archive that is killed often while it goes on, or elsewhere each time, is read to its end", async () => {
  const { userId, id } = await upload()
  for (const progress of [0, 0.1, 0.1, 0.3, 0.05, 0.9, 0.5, 0.5, 0]) await die(id, progress)
  world.simulator.clock.advance(60_000)
  await runImports(world.context, { signal })
  expect(await readImport(world, userId, id)).toMatchObject({ status: "done", error: null })
})

test("a small archive during which a process ended is read beside no large one, and no other such", async () => {
  const { id } = await upload()
  await die(id, 0.5)
  world.simulator.clock.advance(60_000)
  const claim = (place: keyof typeof IMPORT_PLACES) =>
    claimJob(world.context, [{ ...IMPORT_PLACES[place], key: id }], world.context.clock.now())
  expect(await claim("small")).toBeUndefined()
  expect((await claim("any"))?.key).toBe(id)
})
