import { expect, test, vi } from "vitest"
import { throttle } from "./throttle.ts"

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
