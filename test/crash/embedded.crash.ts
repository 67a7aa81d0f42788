import { expect, test } from "vitest"
import { KILLS, SEED, VENDORS } from "./settings.ts"
import { surviveKills } from "./survive-kills.ts"

const kills = Math.ceil(KILLS / 2)

test.each(VENDORS)(
  `with %s and an embedded database, ${kills} kills at any moment lose nothing that was acknowledged`,
  async (provider) => {
    const figures = await surviveKills({ provider, kind: "embedded", kills, seed: SEED })
    process.stdout.write(`${figures}\n`)
    expect(figures).toContain(`${kills} kills`)
  },
)
