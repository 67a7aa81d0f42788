import { expect, test } from "vitest"
import { surviveKills } from "./survive-kills.ts"

/** A short form of `npm run test:crash`. */
const KILLS = 3

test.concurrent.each(["embedded", "external"] as const)(
  "with an %s database, kill -9 at any moment loses nothing that was acknowledged",
  async (kind) => {
    const figures = await surviveKills({ kind, kills: KILLS, seed: "short" })
    process.stdout.write(`${figures}\n`)
    expect(figures).toContain(`${KILLS} kills`)
  },
  180_000,
)
