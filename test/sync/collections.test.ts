import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "vitest"
import {
  COLLECTION_FAULTS,
  COLLECTIONS,
  type CollectionCell,
  runEstablishedConnection,
  runNewConnection,
} from "../faults/collections.ts"

/** Every collection meets some faults here, and every fault some collections. `npm run test:faults` runs every pair. */
const FAULTS = Object.keys(COLLECTION_FAULTS)

describe.each(["whoop", "oura"] as const)("%s", (provider) => {
  const createOwnWorld = () =>
    createWorld({ vendor: provider, days: 20, hasWebhooks: true, timeoutMs: 2_000, seed: "collections" })
  let world: World
  // The hour decides what is due: at some hours a failing list is not asked within a day, and its gap is not named yet. Cells of WHOOP
  // begin at noon, those of Oura one after the other.
  const isOfOneWorld = provider === "oura"
  beforeAll(async () => {
    if (isOfOneWorld) world = await createOwnWorld()
  })
  afterAll(async () => {
    if (isOfOneWorld) await world.close()
  })
  beforeEach(async () => {
    if (!isOfOneWorld) world = await createOwnWorld()
  })
  afterEach(async () => {
    if (!isOfOneWorld) await world.close()
  })

  const cells = Object.keys(COLLECTIONS[provider]).map((collection, index): CollectionCell => {
    const faultName = FAULTS[(index * 5) % FAULTS.length] ?? ""
    return { provider, collection, faultName }
  })

  test.each(cells)(
    "a new connection whose $collection fails with $faultName has everything else, names it, and has all of it afterwards",
    (cell) => runNewConnection(world, cell),
  )

  test.each(cells.map((cell, index) => ({ ...cell, faultName: FAULTS[(index * 5 + 2) % FAULTS.length] ?? "" })))(
    "an established connection whose $collection fails with $faultName loses nothing, goes on, and has all of it afterwards",
    (cell) => runEstablishedConnection(world, cell),
  )
})
