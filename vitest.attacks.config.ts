import { defineConfig } from "vitest/config"

/** Attacks in full size: 20,000 hostile records, profiles, requests and forms. `npm run test:attacks`. */
export default defineConfig({
  test: {
    globalSetup: ["test/setup/dashboard.ts", "test/setup/postgres.ts"],
    include: ["test/attacks/*.attacks.ts"],
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
})
