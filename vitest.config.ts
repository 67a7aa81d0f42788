import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    globalSetup: ["test/setup/dashboard.ts", "test/setup/postgres.ts"],
    include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // On a busy machine a second, which is the default, passes before a password has been checked.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
  },
})
