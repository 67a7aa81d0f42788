import { defineConfig } from "vitest/config"

const { CRASH_SEED = String(Date.now()) } = process.env
process.stdout.write(`CRASH_SEED=${CRASH_SEED}\n`)

/** `kill -9` at random moments, CRASH_KILLS times, as CRASH_SEED draws them: `npm run test:crash`. */
export default defineConfig({
  test: {
    globalSetup: ["test/setup/dashboard.ts", "test/setup/postgres.ts"],
    include: ["test/crash/*.crash.ts"],
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    env: { CRASH_SEED },
  },
})
