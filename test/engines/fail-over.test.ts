import { expect } from "vitest"
import { failOver } from "./fail-over.ts"
import { testWithEngines } from "./test-with-engines.ts"

/** A short form of `npm run test:engines`. */
testWithEngines(
  "a primary that is killed under load is replaced by its synchronous standby, and nothing acknowledged is lost",
  async (engines) => {
    const figures = await failOver(engines, { route: "address", loss: "kill", seed: "short", people: 1, loadMs: 1_500 })
    process.stdout.write(`${figures}\n`)
    expect(figures).toContain("reads back")
  },
)
