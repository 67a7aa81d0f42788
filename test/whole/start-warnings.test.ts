import { createTestDatabase, type TestDatabase } from "@restwell/testing/database"
import { startServiceProcess, TEST_SECRET } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())

test.each([
  ["true", "api", 1],
  ["true", "worker", 0],
  ["1", "api", 0],
  ["loopback", "api", 0],
] as const)("TRUST_PROXY=%s of the role %s gets %i warnings", async (setting, role, warnings) => {
  const environment = { DATABASE_URL: store.url, RESTWELL_SECRET: TEST_SECRET, TRUST_PROXY: setting }
  const service = await startServiceProcess({ environment, role })
  expect(await service.stop()).toBe(0)
  const warned = service.log.filter((line) => line.includes("TRUST_PROXY"))
  expect(warned).toHaveLength(warnings)
  expect(warned.every((line) => line.includes('"level":40'))).toBe(true)
})
