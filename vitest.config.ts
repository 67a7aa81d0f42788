import { join } from "node:path"
import { configDefaults, defineConfig } from "vitest/config"
import LongFilesFirst from "./test/setup/sequencer.ts"

const DASHBOARD = "test/setup/dashboard.ts"
const POSTGRES = "test/setup/postgres.ts"
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** What a test sets on its process ends with the test. */
const CLEAN_PROCESS = { restoreMocks: true, unstubEnvs: true }

/** Programs that tests start take compiled code from here, which halves the work of a start. */
const COMPILE_CACHE = join(import.meta.dirname, "node_modules/.cache/tests")

/** Tests that start Restwell as an operator does, in processes of its own. Some kill them. */
const PROCESSES = [
  "test/{crash,doctor,faults,first-start,starts,two-processes,whole}/**/*.test.ts",
  "packages/postgres/test/**/*.test.ts",
  "test/attacks/restore-files.test.ts",
  "test/backup/{kills,move,without-secret}.test.ts",
  "test/connector/stdio.test.ts",
  "test/imports/interrupted-imports.test.ts",
  "test/people/commands.test.ts",
  "test/pushes/{database-kills,kills}.test.ts",
  "test/telling/kills.test.ts",
  "test/notifications/kills.test.ts",
  "test/home-assistant/kills.test.ts",
]

/** Each fault, trap and special case in turn, for each vendor and kind of archive, and answers to random people beside independent ones. */
const EXHAUSTIVE = [
  "packages/providers/test/*-matrix.test.ts",
  "test/attacks/vendor-records.test.ts",
  "test/imports/{counts-of-archives,every-kind,faulty-exports}.test.ts",
  "test/oracle/*.test.ts",
  "test/sync/{collections,deep-values,lost-parts,zones-of-vendors}.test.ts",
]

/** What the three suites that a change has to pass share. CI runs the first of them, `tests`. */
const SUITE = {
  globalSetup: [DASHBOARD, POSTGRES],
  setupFiles: ["test/setup/property-seed.ts"],
  // More than processors, because files often wait: for a process, a browser, or a limit of time.
  maxWorkers: 3,
  // A worker imports the service once, not for each file: a third of the work of most files.
  isolate: false,
  env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
  testTimeout: 2 * MINUTE_MS,
  ...CLEAN_PROCESS,
  // On a busy machine a second, which is the default, passes before a password has been checked.
  expect: { poll: { timeout: 30_000 } },
}

/** `npm test` runs the project `tests`, and `npm run test:NAME` another one. docs and CONTRIBUTING.md say what each is for. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    hookTimeout: 2 * MINUTE_MS,
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "tests",
          include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...PROCESSES, ...EXHAUSTIVE],
          ...SUITE,
        },
      },
      { extends: true, test: { name: "exhaustive", include: EXHAUSTIVE, ...SUITE } },
      // Processes wait more than they compute.
      { extends: true, test: { name: "processes", include: PROCESSES, ...SUITE, maxWorkers: 4 } },
      {
        extends: true,
        test: {
          name: "conformance",
          globalSetup: [DASHBOARD, POSTGRES],
          include: ["test/conformance/*.conformance.ts"],
          testTimeout: 2 * MINUTE_MS,
        },
      },
      {
        extends: true,
        test: {
          name: "faults",
          globalSetup: [DASHBOARD, POSTGRES],
          include: ["test/{faults,two-processes}/*.faults.ts"],
          // Tests that wait for vendors which hang run side by side, each with vendors and a database of its own. More of them in two workers
          // would need more connections than PostgreSQL has.
          maxConcurrency: 8,
          testTimeout: 30 * MINUTE_MS,
        },
      },
      {
        extends: true,
        test: {
          name: "crash",
          globalSetup: [DASHBOARD, POSTGRES, "test/setup/crash-seed.ts"],
          include: ["test/crash/*.crash.ts"],
          testTimeout: HOUR_MS,
          env: { NODE_COMPILE_CACHE: COMPILE_CACHE, CRASH_SEED: process.env["CRASH_SEED"] ?? String(Date.now()) },
        },
      },
      {
        extends: true,
        test: {
          name: "engines",
          globalSetup: [DASHBOARD, "test/setup/pgbouncer.ts"],
          include: [
            "test/engines/*.engines.ts",
            // Everything that people and vendors do, through PgBouncer in transaction mode.
            "test/{connector,http,imports,oauth,read,sync,two-processes}/**/*.test.ts",
            "packages/server/test/**/*.test.ts",
          ],
          // Their subject is a session of PostgreSQL, which PgBouncer keeps for others: reads within a transaction, and a thread's connection.
          exclude: ["test/read/{cached-responses,statistics-at-a-time}.test.ts", "**/node_modules/**"],
          testTimeout: 2 * MINUTE_MS,
          ...CLEAN_PROCESS,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: "attacks",
          globalSetup: [DASHBOARD, POSTGRES],
          include: ["test/attacks/*.attacks.ts"],
          testTimeout: HOUR_MS,
        },
      },
      {
        extends: true,
        test: {
          name: "backup",
          globalSetup: [DASHBOARD, POSTGRES],
          include: ["test/backup/*.backup.ts"],
          testTimeout: HOUR_MS / 2,
          hookTimeout: HOUR_MS / 2,
          expect: { poll: { timeout: 20_000 } },
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: "starts",
          globalSetup: [DASHBOARD],
          include: ["test/starts/*.starts.ts"],
          testTimeout: 2 * HOUR_MS,
        },
      },
      {
        extends: true,
        test: {
          name: "first-steps",
          globalSetup: [DASHBOARD],
          include: ["test/first-steps/*.measured.ts"],
          testTimeout: 20 * MINUTE_MS,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: "package",
          globalSetup: [DASHBOARD],
          include: ["test/package/*.package.ts"],
          testTimeout: 2 * HOUR_MS,
        },
      },
      {
        extends: true,
        test: {
          name: "statistics",
          include: ["packages/core/test/statistics/*.statistics.ts"],
          testTimeout: 15 * MINUTE_MS,
        },
      },
      {
        extends: true,
        test: {
          name: "insights-oracle",
          globalSetup: [DASHBOARD, POSTGRES],
          include: ["test/oracle/*.oracle.ts"],
          testTimeout: HOUR_MS,
        },
      },
    ],
  },
})
