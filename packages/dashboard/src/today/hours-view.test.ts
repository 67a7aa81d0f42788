import { expect, test } from "vitest"
import { HEART_RATE, lowestText } from "./hours-view.tsx"

test("the lowest of a night is told at the step that the chart reads", () => {
  // A value of five minutes from 23:29 to 23:34, in a night from 23:25 on.
  const hours = (minutes: number) => ({
    start: -35,
    end: 60,
    curves: [{ ...HEART_RATE, values: [null, 46, 50], mark: { minutes, value: 45 } }],
  })
  expect(lowestText(hours(-28.5), "24h")).toBe("Lowest heart rate 45 bpm at 23:30")
  expect(lowestText({ ...hours(0), curves: [{ ...HEART_RATE, values: [46] }] }, "24h")).toBeUndefined()
})
