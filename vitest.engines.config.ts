import { defineConfig } from "vitest/config"

/** The tests of `test/engines` in full size: `npm run test:engines`. */
export default defineConfig({
  test: {
    globalSetup: ["test/setup/dashboard.ts", "test/setup/pgbouncer.ts"],
    include: [
      "test/engines/*.engines.ts",
      // Everything that people and vendors do, through PgBouncer in transaction mode.
      "test/{connector,http,imports,oauth,read,sync,two-processes}/**/*.test.ts",
      "packages/server/test/**/*.test.ts",
    ],
    // It runs its reads inside a transaction of one session.
    exclude: ["test/read/cached-responses.test.ts", "**/node_modules/**"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
  },
})
