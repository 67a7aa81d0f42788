import { expect, test, vi } from "vitest"
import { sumLines, throttle } from "./wait.ts"

test("writes the first of many lines at once, and their number ten seconds later", () => {
  vi.useFakeTimers({ toFake: ["performance"] })
  const written: number[] = []
  const write = throttle((count) => void written.push(count))
  for (let line = 0; line < 500; line += 1) write()
  vi.advanceTimersByTime(9_000)
  write()
  vi.advanceTimersByTime(1_001)
  write()
  vi.useRealTimers()
  expect(written).toEqual([1, 501])
})

test("counts lines by reason, and writes them as one when the minute is over", async () => {
  const written: object[] = []
  const minutes: (() => void)[] = []
  const lines = sumLines(
    (counts) => void written.push(counts),
    () => new Promise((resolve) => minutes.push(resolve)),
  )
  for (let line = 0; line < 500; line += 1) lines.add("forged")
  lines.add("too large")
  expect(written).toEqual([])
  expect(minutes).toHaveLength(1)
  minutes[0]?.()
  await expect.poll(() => written).toEqual([{ forged: 500, "too large": 1 }])
  lines.add("forged")
  lines.flush()
  lines.flush()
  expect(written.slice(1)).toEqual([{ forged: 1 }])
})
