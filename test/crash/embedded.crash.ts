import { expect, test } from "vitest"
import { KILLS, POSTGRES_KILLS, SEED, VENDORS } from "./settings.ts"
import { surviveKills } from "./survive-kills.ts"

/** Of an idle machine. A busy one takes longer. */
const LONGEST_BACK_MS = 3_000
const kills = Math.ceil(KILLS / 2)

test.each(VENDORS)(
  `with %s and an embedded database, ${kills} kills at any moment lose nothing that was acknowledged`,
  async (provider) => {
    const figures = await surviveKills({ provider, kind: "embedded", kills, seed: SEED })
    expect(figures).toContain(`${kills} kills`)
  },
)

test(`${POSTGRES_KILLS} kills of PostgreSQL alone, also while it restarts: the service is back within 3 s of each`, async () => {
  const figures = await surviveKills({
    provider: VENDORS[0],
    kind: "supervised",
    kills: POSTGRES_KILLS,
    seed: SEED,
    longestBackMs: LONGEST_BACK_MS,
  })
  expect(figures).toContain(`${POSTGRES_KILLS} kills`)
})
