/** Whose archive is read when: nobody waits for another person's largest archives, or for many of them. */
import { claimJob, IMPORT_PLACES, ImportThreads } from "@restwell/core"
import { appleArchive, appleStage } from "@restwell/simulator"
import { whoopArchive } from "@restwell/testing/archive"
import { createWorld } from "@restwell/testing/world"
import { expect, test } from "vitest"
import { readImport, receiveArchive } from "./import-archive.ts"

const START_MS = Date.parse("2026-11-17T22:00:00Z")

/** Many rows that were written, by no vendor's own program, in a file that compresses little. */
const archiveOf = (rows: number): Buffer =>
  appleArchive(
    Array.from({ length: rows }, (_, index) =>
      appleStage(
        index % 2 === 0 ? "AsleepCore" : "AsleepDeep",
        { startMs: START_MS + index * 60_000, endMs: START_MS + index * 60_000 + 59_000 },
        { device: Math.sin(index).toString(36) + Math.cos(index).toString(36) },
      ),
    ),
  )

test("the places go to one archive of each person, the small ones first, and to one large archive at a time", async () => {
  await using stack = new AsyncDisposableStack()
  const world = stack.adopt(await createWorld({ days: 2, seed: "fair imports" }), (one) => one.close())
  const [ada, ben, cleo] = [await world.addUser(), await world.addUser(), await world.addUser()]
  const bytes = whoopArchive(world.simulator.records(world.simulator.people.add({ email: "ada@vendor.example" })))
  const large = Buffer.concat([bytes, Buffer.alloc(9 * 1_048_576, 1)])
  const ids = new Map<string, string>()
  const upload = async (name: string, userId: string, content: Buffer) =>
    ids.set(await receiveArchive(world, userId, { fileName: name, bytes: content }), name)
  await upload("ada's large one", ada, large)
  await upload("ben's large one", ben, large)
  for (const name of ["first", "second", "third"]) await upload(`ada's ${name} small one`, ada, bytes)
  await upload("cleo's small one", cleo, bytes)

  const claim = async (place: (typeof IMPORT_PLACES)[keyof typeof IMPORT_PLACES]) => {
    const job = await claimJob(world.context, [place], world.context.clock.now())
    return job && ids.get(job.key)
  }
  expect(await claim(IMPORT_PLACES.small)).toBe("ada's first small one")
  expect(await claim(IMPORT_PLACES.any)).toBe("cleo's small one")
  expect(await claim(IMPORT_PLACES.small)).toBeUndefined()
  expect(await claim(IMPORT_PLACES.any)).toBe("ben's large one")
  expect(await claim(IMPORT_PLACES.any)).toBeUndefined()
})

test("an archive of which nothing can be read any further is given up in words, and is not tried again", async () => {
  await using stack = new AsyncDisposableStack()
  const world = stack.adopt(await createWorld({ days: 2, seed: "quiet imports" }), (one) => one.close())
  const { context, store } = world
  const userId = await world.addUser()
  const id = await receiveArchive(world, userId, { fileName: "export.zip", bytes: archiveOf(40_000) })
  const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
  // Compiling the reader alone takes longer than this.
  await using imports = new ImportThreads({ connection: { connectionString: store.url }, wait, quietMs: 3 })
  const job = await claimJob(context, [IMPORT_PLACES.any], context.clock.now())
  if (!job) throw new Error("no import waits")
  expect(await imports.run(context, job, new AbortController().signal)).toBeUndefined()
  const failed = {
    status: "failed",
    error: expect.stringMatching(/^export\.zip could not be read any further .* upload the new file$/),
  }
  expect(await readImport(world, userId, id)).toMatchObject(failed)
})

test("an archive that takes longer than it may be quiet is read to its end", async () => {
  await using stack = new AsyncDisposableStack()
  const world = stack.adopt(await createWorld({ days: 2, seed: "long imports" }), (one) => one.close())
  const { context, store } = world
  const userId = await world.addUser()
  const id = await receiveArchive(world, userId, { fileName: "export.zip", bytes: archiveOf(480_000) })
  const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
  await using imports = new ImportThreads({ connection: { connectionString: store.url }, wait, quietMs: 3_000 })
  const job = await claimJob(context, [IMPORT_PLACES.any], context.clock.now())
  if (!job) throw new Error("no import waits")
  const startedMs = performance.now()
  await imports.run(context, job, new AbortController().signal)
  expect(await readImport(world, userId, id)).toMatchObject({ status: "done" })
  expect(performance.now() - startedMs).toBeGreaterThan(3_000)
})
