import { defineConfig } from "vitest/config"

/** The official conformance suite of the Model Context Protocol: `npm run test:conformance`. */
export default defineConfig({
  test: {
    globalSetup: ["test/setup/dashboard.ts", "test/setup/postgres.ts"],
    include: ["test/conformance/*.conformance.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
})
