import { expect, test } from "vitest"
import { SEED } from "./settings.ts"
import { surviveSetUpKills } from "./survive-set-up-kills.ts"

const KILLS = 20

test(`after ${KILLS} kills at any moment of the set-up, the next page load goes on`, async () => {
  const figures = await surviveSetUpKills(KILLS, SEED)
  process.stdout.write(`${KILLS} set-ups were killed: ${JSON.stringify(figures)}\n`)
  expect(figures.repeated + figures.done).toBe(KILLS)
})
