import { expect, test } from "vitest"
import { RUNS, SEED } from "./settings.ts"
import { surviveKills } from "./survive-kills.ts"

test.each(RUNS.map(({ provider, kills }) => ({ provider, kills: Math.floor(kills / 2) })))(
  "with $provider and an external database, $kills kills at any moment lose nothing that was acknowledged",
  async ({ provider, kills }) => {
    const figures = await surviveKills({ provider, kind: "external", kills, seed: SEED })
    expect(figures).toContain(`${kills} kills`)
  },
)
