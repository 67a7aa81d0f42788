// `npm run test:attacks`: 12,000 hostile records, profiles and webhooks of a vendor. ATTACK_SEED repeats a run.
import { startTestService, UNLIMITED_QUOTA } from "@restwell/testing/service"
import { createWorld } from "@restwell/testing/world"
import { expect, test } from "vitest"
import { attackRecords } from "./attack-records.ts"
import { attackSamples, attackWithMillions } from "./attack-samples.ts"
import { attackProfiles, attackReads, attackWebhooks } from "./attack-service.ts"

const SEED = Number(process.env["ATTACK_SEED"] ?? 1)
const RECORDS = 12_000
const SAMPLES = 10_000
const MEMBERS = 5
const CONNECTS = 400
const WEBHOOKS = 1_000

test(`${RECORDS} hostile records are set aside or valid, and every record beside them is stored`, async () => {
  const world = await createWorld({ days: 365, seed: "hostile records" })
  let cases = 0
  let rejected = 0
  for (let seed = SEED * 1_000_000; cases < RECORDS; seed += 10_000) {
    const outcome = await attackRecords(world, seed)
    cases += outcome.cases
    rejected += outcome.rejected
  }
  process.stdout.write(`${cases} hostile records, ${rejected} of them rejected\n`)
  await world.close()
})

test(`${SAMPLES} hostile heart rates are left out or valid, and every one beside them is stored`, async () => {
  const world = await createWorld({ vendor: "oura", days: 365, seed: "hostile samples" })
  let cases = 0
  for (let seed = SEED * 1_000_000; cases < SAMPLES; seed += 10_000) cases += await attackSamples(world, seed)
  await attackWithMillions(world)
  process.stdout.write(`${cases} hostile heart rates\n`)
  await world.close()
})

test("every page works with hostile records, profiles and webhooks", async () => {
  const service = await startTestService({ days: 180, environment: UNLIMITED_QUOTA })
  let cases = 0
  for (let member = 0; member < MEMBERS; member += 1) cases += await attackReads(service, (SEED + member) * 7_000_000)
  cases += await attackProfiles(service, SEED, CONNECTS)
  cases += await attackWebhooks(service, SEED, WEBHOOKS)
  expect(cases).toBeGreaterThan(2 * CONNECTS + WEBHOOKS)
  process.stdout.write(`${cases} hostile records, profiles and webhooks\n`)
  await service.close()
})
