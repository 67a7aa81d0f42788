import { findEngines } from "@restwell/testing/engines"
import { expect, test } from "vitest"
import { failOver } from "./fail-over.ts"

const PEOPLE = 6
const LOAD_MS = 10_000

test.each([
  ["address", "kill"],
  ["address", "freeze"],
  ["pgbouncer", "kill"],
] as const)(
  "through %s, after a %s of the primary nothing acknowledged is lost",
  async (route, loss) => {
    const engines = await findEngines()
    if ("missing" in engines) throw new Error(engines.missing)
    const figures = await failOver(engines, {
      route,
      loss,
      seed: `full ${route} ${loss}`,
      people: PEOPLE,
      loadMs: LOAD_MS,
    })
    process.stdout.write(`${figures}\n`)
    expect(figures).toContain("reads back")
  },
  600_000,
)
