import { expect, test } from "vitest"
import { surviveKills } from "./survive-kills.ts"

/** A short form of `npm run test:crash`. */
const KILLS = 3

test.concurrent.each([
  ["whoop", "embedded"],
  ["whoop", "external"],
  ["oura", "external"],
] as const)(
  "with %s and an %s database, kill -9 at any moment loses nothing that was acknowledged",
  async (provider, kind) => {
    const figures = await surviveKills({ provider, kind, kills: KILLS, seed: "short" })
    process.stdout.write(`${figures}\n`)
    expect(figures).toContain(`${KILLS} kills`)
  },
  240_000,
)
