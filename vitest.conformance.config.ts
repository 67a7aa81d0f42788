import { defineConfig } from "vitest/config"

/** The official conformance suite of the Model Context Protocol: `npx vitest run --config vitest.conformance.config.ts`. */
export default defineConfig({
  test: {
    include: ["test/conformance/*.conformance.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
})
