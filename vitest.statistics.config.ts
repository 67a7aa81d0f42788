import { defineConfig } from "vitest/config"

/** Every figure of the statistics in full size, minutes long: `npm run test:statistics`. */
export default defineConfig({
  test: {
    include: ["test/statistics/*.statistics.ts"],
    testTimeout: 900_000,
    maxWorkers: 2,
  },
})
