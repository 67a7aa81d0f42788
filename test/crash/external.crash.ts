import { expect, test } from "vitest"
import { KILLS, SEED, VENDORS } from "./settings.ts"
import { surviveKills } from "./survive-kills.ts"

const kills = Math.floor(KILLS / 2)

test.each(VENDORS)(
  `with %s and an external database, ${kills} kills at any moment lose nothing that was acknowledged`,
  async (provider) => {
    const figures = await surviveKills({ provider, kind: "external", kills, seed: SEED })
    expect(figures).toContain(`${kills} kills`)
  },
)
