import { defineConfig } from "vitest/config"

/** Starts interrupted at random moments, INTERRUPTED_STARTS of them: `npm run test:starts`. */
export default defineConfig({
  test: {
    globalSetup: ["test/setup/dashboard.ts"],
    include: ["test/starts/*.starts.ts"],
    testTimeout: 7_200_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
})
