import { expect, test } from "vitest"
import { createDatabaseBackoff } from "./sync-job.ts"

function backoffAt() {
  const time = { now: 0 }
  return { time, backoff: createDatabaseBackoff(() => time.now) }
}

test("pauses twice as long after each failure, at most five minutes", () => {
  const { time, backoff } = backoffAt()
  const pauses = Array.from({ length: 9 }, () => {
    backoff.extend()
    const from = time.now
    while (backoff.isActive) time.now += 1000
    return (time.now - from) / 1000
  })
  expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300])
})

test("counts simultaneous failures as one, and starts again after a success", () => {
  const { time, backoff } = backoffAt()
  backoff.extend()
  backoff.extend()
  time.now = 5000
  expect(backoff.isActive).toBe(false)
  backoff.extend()
  time.now = 15_000
  backoff.reset()
  backoff.extend()
  time.now = 19_999
  expect(backoff.isActive).toBe(true)
  time.now = 20_000
  expect(backoff.isActive).toBe(false)
})
