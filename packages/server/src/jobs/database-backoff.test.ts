import { expect, test } from "vitest"
import { createDatabaseRest } from "./database-backoff.ts"

function restAt() {
  const time = { now: 0 }
  return { time, rest: createDatabaseRest(() => time.now) }
}

test("rests for twice as long each time, five minutes at most", () => {
  const { time, rest } = restAt()
  const rests = Array.from({ length: 9 }, () => {
    rest.failed()
    const from = time.now
    while (rest.isResting) time.now += 1000
    return (time.now - from) / 1000
  })
  expect(rests).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300])
})

test("several failures at a time are one, and success begins anew", () => {
  const { time, rest } = restAt()
  rest.failed()
  rest.failed()
  time.now = 5000
  expect(rest.isResting).toBe(false)
  rest.failed()
  time.now = 15_000
  rest.worked()
  rest.failed()
  time.now = 19_999
  expect(rest.isResting).toBe(true)
  time.now = 20_000
  expect(rest.isResting).toBe(false)
})
