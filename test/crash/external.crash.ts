import { expect, test } from "vitest"
import { surviveKills } from "../support/crash/survive-kills.ts"
import { KILLS, SEED } from "./settings.ts"

const kills = Math.floor(KILLS / 2)

test(`with an external database, ${kills} kills at any moment lose nothing that was acknowledged`, async () => {
  process.stdout.write(`${await surviveKills({ kind: "external", kills, seed: SEED })}\n`)
  expect.hasAssertions()
})
