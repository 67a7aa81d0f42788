import { findEngines } from "@restwell/testing/engines"
import { expect, test } from "vitest"
import { losePrimary } from "./patroni.ts"

const PEOPLE = 4
const LOAD_MS = 10_000

test.each(["kill", "freeze", "cut", "switch"] as const)(
  "a cluster by the files of deploy/patroni loses its primary (%s) under load: another one answers soon, and nothing acknowledged is lost",
  async (loss) => {
    const engines = await findEngines()
    if ("missing" in engines) throw new Error(engines.missing)
    const figures = await losePrimary(engines, { loss, seed: `patroni ${loss}`, people: PEOPLE, loadMs: LOAD_MS })
    process.stdout.write(`${figures}\n`)
    expect(figures).toContain("answered")
  },
  600_000,
)
