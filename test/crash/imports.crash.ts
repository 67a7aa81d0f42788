import { randomFor, startOuraSimulator } from "@restwell/simulator"
import { archivesOf, ouraArchive } from "@restwell/testing/archive"
import { createWorld } from "@restwell/testing/world"
import { expect, test } from "vitest"
import { surviveImportKills } from "../imports/survive-import-kills.ts"
import { KILLS, SEED } from "./settings.ts"

const DAYS = 400
/** Longer than the import of these days takes on an idle machine. */
const LONGEST_IMPORT_MS = 1_500
const kills = Math.ceil(KILLS / 8)

test(`${kills} kills of each kind of archive's import lose and double nothing`, async () => {
  const world = await createWorld({ days: DAYS, seed: SEED })
  const oura = await startOuraSimulator({ seed: SEED, now: world.simulator.clock.now(), days: DAYS })
  const random = randomFor(SEED, "imports")
  try {
    const [ring] = oura.people.list()
    if (!ring) throw new Error("nobody at Oura")
    const documents = oura.records(ring)
    const strap = world.simulator.people.add({ email: "strap@vendor.example" })
    const archives = {
      ...archivesOf(world.simulator.records(strap), documents),
      oura: ouraArchive({ ...documents, heartrate: oura.heartRates(ring) }),
    }
    for (const [kind, bytes] of Object.entries(archives)) {
      const fileName = `${kind}.zip`
      const moments = Array.from({ length: kills }, () => random.between(0, LONGEST_IMPORT_MS))
      await surviveImportKills(world, { bytes, fileName }, moments)
      process.stdout.write(`${fileName}: ${kills} kills\n`)
    }
  } finally {
    await oura.close()
    await world.close()
  }
  expect(kills).toBeGreaterThan(0)
})
