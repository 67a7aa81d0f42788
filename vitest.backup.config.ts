import { defineConfig } from "vitest/config"

/** Backup and restore of BACKUP_PEOPLE people under load, and BACKUP_KILLS kills of each command: `npm run test:backup`. */
export default defineConfig({
  test: {
    globalSetup: ["test/setup/dashboard.ts", "test/setup/postgres.ts"],
    include: ["test/backup/*.backup.ts"],
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 20_000 } },
    fileParallelism: false,
  },
})
