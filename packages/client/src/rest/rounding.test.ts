import { expect, test } from "vitest"
import { wholeMinutes } from "./rounding.ts"

test.each([
  [7.49, 449],
  [7.4949, 449],
  // In minutes at once it would be 449.6.
  [7.4933, 449],
  [7.495, 450],
  [0.01, 1],
  [-0.5, -30],
])("%d h are %i min, by the hours with two decimals", (hours, minutes) => {
  expect(wholeMinutes(hours)).toBe(minutes)
})
