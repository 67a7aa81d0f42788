import { expect, test } from "vitest"
import { waitInRealTime as wait } from "../../process/wait.ts"
import { createReadiness, type Readiness } from "./readiness.ts"

/** What `docker stop` grants, less what closing takes. */
const LONGEST_DRAIN_MS = 7_000

const never = new AbortController().signal
const readinessWith = (isDatabaseUp: () => Promise<boolean>): Readiness =>
  createReadiness({ isDatabaseUp, wait, disk: { state: async () => "low" } })

/** Sends requests until three are refused, as through a proxy that learns from refusals. */
async function keepSending(readiness: Readiness, isOver: () => boolean): Promise<number> {
  let refused = 0
  while (!isOver() && refused < 3) {
    readiness.noteRequest()
    if (readiness.isSheddingLoad) refused += 1
    await wait(20, never)
  }
  return refused
}

test("refuses requests before the end of a drain if they do not stop", async () => {
  const readiness = readinessWith(async () => true)
  const startedAt = performance.now()
  let isOver = false
  const sending = keepSending(readiness, () => isOver)
  await readiness.drain()
  isOver = true
  expect(await sending).toBe(3)
  expect(performance.now() - startedAt).toBeLessThan(LONGEST_DRAIN_MS)
})

test("drains quickly and refuses nothing if no requests come", async () => {
  const readiness = readinessWith(async () => true)
  const startedAt = performance.now()
  await readiness.drain()
  expect(readiness.isSheddingLoad).toBe(false)
  expect(performance.now() - startedAt).toBeLessThan(LONGEST_DRAIN_MS / 2)
})

test("is not ready while the database is down, silent, or the process drains", async () => {
  expect(await readinessWith(async () => true).findFault()).toBeUndefined()
  expect(await readinessWith(async () => false).findFault()).toBe("the database does not answer or takes no changes")
  expect(await readinessWith(() => new Promise(() => {})).findFault()).toBe(
    "the database does not answer or takes no changes",
  )
  const draining = readinessWith(async () => true)
  void draining.drain()
  expect(await draining.findFault()).toBe("the process is stopping")
})
