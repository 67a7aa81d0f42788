import { expect, test } from "vitest"
import { ANY_VENDOR, POSTGRES_KILLS, RUNS, SEED } from "./settings.ts"
import { surviveKills } from "./survive-kills.ts"

/** Of an idle machine. A busy one takes longer. */
const LONGEST_BACK_MS = 3_000

test.each(RUNS.map(({ provider, kills }) => ({ provider, kills: Math.ceil(kills / 2) })))(
  "with $provider and an embedded database, $kills kills at any moment lose nothing that was acknowledged",
  async ({ provider, kills }) => {
    const figures = await surviveKills({ provider, kind: "embedded", kills, seed: SEED })
    expect(figures).toContain(`${kills} kills`)
  },
)

test(`${POSTGRES_KILLS} kills of PostgreSQL alone, also while it restarts: the service is back within 3 s of each`, async () => {
  const figures = await surviveKills({
    provider: ANY_VENDOR,
    kind: "supervised",
    kills: POSTGRES_KILLS,
    seed: SEED,
    longestBackMs: LONGEST_BACK_MS,
  })
  expect(figures).toContain(`${POSTGRES_KILLS} kills`)
})
