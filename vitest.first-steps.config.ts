import { defineConfig } from "vitest/config"

/** The page of first steps, with an empty npm cache: `npm run test:first-steps`. */
export default defineConfig({
  test: {
    globalSetup: ["test/setup/dashboard.ts"],
    include: ["test/first-steps/*.measured.ts"],
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
  },
})
