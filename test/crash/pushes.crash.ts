import { expect, test } from "vitest"
import { survivePushKills } from "../pushes/survive-push-kills.ts"
import { KILLS, SEED } from "./settings.ts"

const BATCHES = 1_000
const kills = Math.ceil(KILLS / 4)

test(`${BATCHES} batches, shuffled, doubled and cut by ${kills} kills, store what one push stores`, async () => {
  const figures = await survivePushKills({ batches: BATCHES, kills, seed: SEED })
  process.stdout.write(`${figures}\n`)
  expect(figures).toContain(`${kills} kills`)
})
