import { type Engines, findEngines } from "@restwell/testing/engines"
import { test } from "vitest"

const TIMEOUT_MS = 240_000

/** A test that needs PostgreSQL and PgBouncer of the operating system. Without them it is skipped and says what to install. */
export const testWithEngines = (name: string, run: (engines: Engines) => Promise<void>): void =>
  test(
    name,
    async (context) => {
      const engines = await findEngines()
      if ("missing" in engines) {
        process.stdout.write(`${name}: ${engines.missing}\n`)
        return context.skip(engines.missing)
      }
      await run(engines)
    },
    TIMEOUT_MS,
  )
