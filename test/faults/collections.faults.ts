import { announcesEdits } from "@restwell/testing/vendor"
import { createWorld } from "@restwell/testing/world"
import { test } from "vitest"
import {
  COLLECTION_FAULTS,
  COLLECTIONS,
  runDayOfEachCollection,
  runEstablishedConnection,
  runNewConnection,
} from "./collections.ts"

const PROVIDERS = ["whoop", "oura", "polar", "intervals", "withings", "google_health"] as const

const CELLS = PROVIDERS.flatMap((provider) =>
  Object.keys(COLLECTIONS[provider]).map((collection) => ({ provider, collection })),
)

test.concurrent.each(CELLS)(
  "$collection of $provider fails in every way, and takes nothing else with it",
  async (cell) => {
    const world = await createWorld({
      vendor: cell.provider,
      days: 20,
      hasWebhooks: announcesEdits(cell.provider),
      timeoutMs: 2_000,
      seed: "all",
    })
    try {
      for (const faultName of Object.keys(COLLECTION_FAULTS)) {
        await runNewConnection(world, { ...cell, faultName })
        await runEstablishedConnection(world, { ...cell, faultName })
      }
    } finally {
      await world.close()
    }
  },
)

const HOURS = PROVIDERS.flatMap((provider) => [0, 6, 12, 18].map((hour) => ({ provider, hour })))

test.concurrent.each(HOURS)(
  "each collection of $provider that began to fail at $hour o'clock is named a day later",
  async (at) => {
    const now = new Date(Date.UTC(2026, 10, 20, at.hour))
    const world = await createWorld({
      vendor: at.provider,
      now,
      days: 20,
      hasWebhooks: announcesEdits(at.provider),
      timeoutMs: 2_000,
    })
    try {
      await runDayOfEachCollection(world, at.provider)
    } finally {
      await world.close()
    }
  },
)
