import { expect, test } from "vitest"
import { positionOf } from "./today.ts"

test.each([
  [52, 48, 55, "inside"],
  [48, 48, 55, "inside"],
  [47, 48, 55, "below"],
  [55.1, 48, 55, "above"],
  ["23:30", "23:00", "23:50", "inside"],
  ["00:10", "23:00", "23:50", "above"],
  ["22:10", "23:00", "23:50", "below"],
  ["00:10", "23:30", "00:30", "inside"],
  ["01:10", "23:30", "00:30", "above"],
  ["22:30", "23:30", "00:30", "below"],
  ["12:01", "23:30", "00:30", "below"],
  ["11:59", "23:30", "00:30", "above"],
])("%s is %s to %s: %s", (value, low, high, position) => {
  expect(positionOf(value, low, high)).toBe(position)
})
