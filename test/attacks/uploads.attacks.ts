import { claimJob, ImportThreads } from "@restwell/core"
import { waitUnreferenced } from "@restwell/server/wait"
import { appleArchive, appleStage } from "@restwell/simulator"
import { createWorld } from "@restwell/testing/world"
import { expect, test } from "vitest"
import { readImport, receiveArchive } from "../imports/import-archive.ts"
import { attackUploads } from "./attack-uploads.ts"

const { ATTACK_SEED = String(Date.now() % 2 ** 31), ATTACK_FILES = "400" } = process.env
/** Others wait for an import no longer than this many times. */
const SLOWDOWN = 3

test(`${ATTACK_FILES} hostile files are refused or read, nothing of them stays, and others are answered (ATTACK_SEED=${ATTACK_SEED})`, async () => {
  const { faults, endings, ...times } = await attackUploads(Number(ATTACK_FILES), Number(ATTACK_SEED))
  process.stdout.write(`${JSON.stringify({ ...Object.fromEntries(endings), ...times })}\n`)
  expect(faults).toEqual([])
  expect(times.medianMs).toBeLessThan(times.medianAtRestMs * SLOWDOWN)
})

test("an archive that needs more memory than one gets fails in words, and is not tried again", async () => {
  await using stack = new AsyncDisposableStack()
  const world = stack.adopt(await createWorld({ days: 2, seed: "memory" }), (one) => one.close())
  const { context, store } = world
  const startMs = Date.parse("2026-11-17T22:00:00Z")
  const stages = Array.from({ length: 600_000 }, (_, index) =>
    appleStage(index % 2 === 0 ? "AsleepCore" : "AsleepDeep", {
      startMs: startMs + index * 100,
      endMs: startMs + index * 100 + 90,
    }),
  )
  const userId = await world.addUser()
  const id = await receiveArchive(world, userId, { fileName: "export.zip", bytes: appleArchive(stages) })
  const connection = { connectionString: store.url }
  await using imports = new ImportThreads({ connection, wait: waitUnreferenced, heapMb: 26 })
  const job = await claimJob(context, [{ kind: "import", minPriority: 0 }], context.clock.now())
  if (!job) throw new Error("no import waits")
  expect(await imports.run(context, job, new AbortController().signal)).toBeUndefined()
  const failed = { status: "failed", error: expect.stringMatching(/needs more memory .* upload the new file/) }
  expect(await readImport(world, userId, id)).toMatchObject(failed)
})
