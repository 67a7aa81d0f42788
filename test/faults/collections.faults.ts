import { createWorld } from "@restwell/testing/world"
import { test } from "vitest"
import { COLLECTION_FAULTS, COLLECTIONS, runEstablishedConnection, runNewConnection } from "./collections.ts"

const PROVIDERS = ["whoop", "oura", "polar", "intervals", "withings", "google_health"] as const

const CELLS = PROVIDERS.flatMap((provider) =>
  Object.keys(COLLECTIONS[provider]).map((collection) => ({ provider, collection })),
)

test.each(CELLS)("$collection of $provider fails in every way, and takes nothing else with it", async (cell) => {
  const world = await createWorld({ vendor: cell.provider, days: 20, hasWebhooks: true, timeoutMs: 2_000, seed: "all" })
  try {
    for (const faultName of Object.keys(COLLECTION_FAULTS)) {
      await runNewConnection(world, { ...cell, faultName })
      await runEstablishedConnection(world, { ...cell, faultName })
    }
  } finally {
    await world.close()
  }
})
