import { expect, test } from "vitest"
import { KILLS, SEED } from "./settings.ts"
import { surviveKills } from "./survive-kills.ts"

const kills = Math.ceil(KILLS / 2)

test(`with an embedded database, ${kills} kills at any moment lose nothing that was acknowledged`, async () => {
  const figures = await surviveKills({ kind: "embedded", kills, seed: SEED })
  process.stdout.write(`${figures}\n`)
  expect(figures).toContain(`${kills} kills`)
})
