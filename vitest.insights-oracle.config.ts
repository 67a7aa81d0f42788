import { defineConfig } from "vitest/config"

/**
 * The statistics of INSIGHTS_PEOPLE random people, as INSIGHTS_SEED draws them, against an independent computation:
 * `npm run test:insights-oracle`.
 */
export default defineConfig({
  test: {
    globalSetup: ["test/setup/dashboard.ts", "test/setup/postgres.ts"],
    include: ["test/oracle/*.oracle.ts"],
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
})
