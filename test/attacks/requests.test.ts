import { afterAll, beforeAll, expect, test } from "vitest"
import { attackRequests, startTarget, type Target } from "./attack-requests.ts"

/** Requests of the short form. `npm run test:attacks` sends 12,000. */
const REQUESTS = 600
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
