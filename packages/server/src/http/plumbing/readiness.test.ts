import { setTimeout as wait } from "node:timers/promises"
import { openPool } from "@restwell/core"
import { expect, test } from "vitest"
import { createReadiness, type Readiness } from "./readiness.ts"

/** What `docker stop` grants, less what closing takes. */
const LONGEST_DRAIN_MS = 7_000

const nowhere = () => openPool({ host: "127.0.0.1", port: 1 }, () => {})

/** Requests that come until they are turned away, as through a proxy that learns by refusals. */
async function keepSending(readiness: Readiness, isOver: () => boolean): Promise<number> {
  let turnedAway = 0
  while (!isOver()) {
    readiness.noteRequest()
    if (readiness.isTurningAway) turnedAway += 1
    if (turnedAway === 3) break
    await wait(20)
  }
  return turnedAway
}

test("who sends on all through a drain is turned away before its end", async () => {
  const readiness = createReadiness(nowhere())
  const startedAt = performance.now()
  let isOver = false
  const sending = keepSending(readiness, () => isOver)
  await readiness.drain()
  isOver = true
  expect(await sending).toBe(3)
  expect(performance.now() - startedAt).toBeLessThan(LONGEST_DRAIN_MS)
})

test("where nobody asks, nobody is turned away and the drain is short", async () => {
  const readiness = createReadiness(nowhere())
  const startedAt = performance.now()
  await readiness.drain()
  expect(readiness.isTurningAway).toBe(false)
  expect(performance.now() - startedAt).toBeLessThan(LONGEST_DRAIN_MS / 2)
})
