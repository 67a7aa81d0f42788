import { expect, test } from "vitest"
import { outcomeOf } from "./connection-notice.tsx"

test("a vendor whose consents are missing is told with the page that asks for them, and not as a try that failed", () => {
  expect(outcomeOf("?provider=polar&problem=not_allowed")).toEqual({
    tone: "fair",
    text: "Polar does not allow it yet. Give the consents that Polar asks for at account.polar.com, then connect Polar again.",
  })
  expect(outcomeOf("?provider=oura&problem=not_allowed")?.text).toMatch(/^Oura does not allow it yet\. Allow what Oura/)
})
