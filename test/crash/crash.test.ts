import { expect, test } from "vitest"
import { surviveKills } from "./survive-kills.ts"
import { surviveSetUpKills } from "./survive-set-up-kills.ts"

/** A short form of `npm run test:crash`. */
const KILLS = 3

test.concurrent("with oura and an embedded database, kill -9 at any moment loses nothing that was acknowledged", async () => {
  const figures = await surviveKills({ provider: "oura", kind: "embedded", kills: KILLS, seed: "short" })
  expect(figures).toContain(`${KILLS} kills`)
}, 400_000)

test("after a kill at any moment of the set-up, the next page load goes on", async () => {
  const { repeated, done } = await surviveSetUpKills(KILLS, "short")
  expect(repeated + done).toBe(KILLS)
}, 240_000)
