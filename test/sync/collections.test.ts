import type { VendorName } from "@restwell/providers"
import { announcesEdits } from "@restwell/testing/vendor"
import { createWorld, type World } from "@restwell/testing/world"
import { describe, test } from "vitest"
import {
  COLLECTION_FAULTS,
  COLLECTIONS,
  type CollectionCell,
  runDayOfEachCollection,
  runEstablishedConnection,
  runNeitherNightsNorDays,
  runNewConnection,
} from "../faults/collections.ts"

/** Every collection meets a fault here, and every fault some collections. `npm run test:faults` runs every pair. */
const FAULTS = Object.keys(COLLECTION_FAULTS)
/** A day beside a collection that hangs takes half a minute. */
const LASTING_FAULTS = FAULTS.map((name) => (name === "hang" ? "500" : name))
/** The hour of the day decides what is due next, and how many events arrive meanwhile. */
const HOURS = [0, 3, 6, 9, 12, 15, 18, 21]

async function inWorldAt(hour: number, vendor: VendorName, run: (world: World) => Promise<void>): Promise<void> {
  const now = new Date(Date.UTC(2026, 10, 20, hour))
  const world = await createWorld({
    vendor,
    now,
    days: 20,
    hasWebhooks: announcesEdits(vendor),
    timeoutMs: 2_000,
    seed: "collections",
  })
  try {
    await run(world)
  } finally {
    await world.close()
  }
}

// A read of Google Health takes sixteen calls, so that its cells take minutes: the long suite alone has them.
describe.each(["whoop", "oura", "polar", "intervals", "withings"] as const)("%s", (provider) => {
  const cellsFrom = (first: number, faults: readonly string[]) =>
    Object.keys(COLLECTIONS[provider]).map((collection, index): CollectionCell & { readonly hour: number } => ({
      provider,
      collection,
      faultName: faults[(index * 5 + first) % faults.length] ?? "",
      hour: HOURS[(index * 3 + first) % HOURS.length] ?? 0,
    }))

  test.each(cellsFrom(0, FAULTS).filter((_, index) => index % 2 === 0))(
    "a new connection at $hour o'clock whose $collection fails with $faultName has everything else, names it, and has all of it afterwards",
    ({ hour, ...cell }) => inWorldAt(hour, provider, (world) => runNewConnection(world, cell)),
  )

  test.each(cellsFrom(2, LASTING_FAULTS).filter((_, index) => index % 2 === 1))(
    "an established connection at $hour o'clock whose $collection fails with $faultName loses nothing, goes on, and has all of it afterwards",
    ({ hour, ...cell }) => inWorldAt(hour, provider, (world) => runEstablishedConnection(world, cell)),
  )

  test("while neither the nights nor the days answer, the rest is stored and the connection says what fails", () =>
    inWorldAt(9, provider, (world) => runNeitherNightsNorDays(world, provider)))

  test("each collection that began to fail at 18 o'clock is named a day later", () =>
    inWorldAt(18, provider, (world) => runDayOfEachCollection(world, provider)))
})
