import { afterAll, beforeAll, expect, test } from "vitest"
import { attackExpensiveReads, attackRequests, startTarget, type Target } from "./attack-requests.ts"

/** Requests of the short form. `npm run test:attacks` sends 24,000. */
const REQUESTS = 300
const SEED = 20_261_122

let target: Target
beforeAll(async () => {
  target = await startTarget()
})
afterAll(() => target.close())

test(`${REQUESTS} hostile requests to every route get no 5xx and no error outside the contract`, async () => {
  const { statuses, faults } = await attackRequests(target, REQUESTS, SEED)
  expect(faults).toEqual([])
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404]))
}, 300_000)

test("3 rounds of expensive reads at once, some given up, leave nothing stuck and get no 5xx", async () => {
  const statuses = await attackExpensiveReads(target, 3, SEED)
  expect([...statuses].filter((status) => ![200, 204, 405, 429].includes(status))).toEqual([])
  // On a busy machine so few requests may arrive one after the other, so that none is refused.
  expect([...statuses]).toEqual(expect.arrayContaining([200, 405]))
}, 300_000)
