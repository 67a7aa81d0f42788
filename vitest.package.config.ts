import { defineConfig } from "vitest/config"

/** The package with an empty npm cache: `npm run test:package`. */
export default defineConfig({
  test: {
    globalSetup: ["test/setup/dashboard.ts"],
    include: ["test/package/*.package.ts"],
    testTimeout: 7_200_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
})
