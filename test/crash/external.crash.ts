import { expect, test } from "vitest"
import { KILLS, SEED } from "./settings.ts"
import { surviveKills } from "./survive-kills.ts"

const kills = Math.floor(KILLS / 2)

test(`with an external database, ${kills} kills at any moment lose nothing that was acknowledged`, async () => {
  const figures = await surviveKills({ kind: "external", kills, seed: SEED })
  process.stdout.write(`${figures}\n`)
  expect(figures).toContain(`${kills} kills`)
})
