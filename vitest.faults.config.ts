import { defineConfig } from "vitest/config"

/** Faults and load in full size, minutes long: `npm run test:faults`. */
export default defineConfig({
  test: {
    globalSetup: ["test/setup/dashboard.ts", "test/setup/postgres.ts"],
    include: ["test/{faults,two-processes}/*.faults.ts"],
    testTimeout: 900_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
})
