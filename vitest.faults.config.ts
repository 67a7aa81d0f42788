import { defineConfig } from "vitest/config"

/** Every fault of the vendor against every kind of job, over more people and for longer than `npm test` does: `npm run test:faults`. */
export default defineConfig({
  test: {
    globalSetup: ["test/setup/dashboard.ts", "test/setup/postgres.ts"],
    include: ["test/faults/*.faults.ts"],
    testTimeout: 900_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
})
