import { openPool } from "@restwell/core"
import { startEmbeddedPostgres } from "@restwell/postgres"
import type { TestDatabase } from "@restwell/testing/database"
import { TEST_SECRET } from "@restwell/testing/service"
import { storedRows } from "./stored-state.ts"
import type { Place } from "./survive-kills.ts"

/** A place with a PostgreSQL of its operator's. */
export const externalPlace = ({ url, pool }: Pick<TestDatabase, "url" | "pool">): Place => ({
  environment: { DATABASE_URL: url, RESTWELL_SECRET: TEST_SECRET },
  readState: () => storedRows(pool),
})

/** A place with the embedded PostgreSQL. */
export const embeddedPlace = (dataDir: string): Place => ({
  environment: { DATA_DIR: dataDir },
  async readState() {
    const postgres = await startEmbeddedPostgres({ dataDir })
    const pool = openPool({ ...postgres.connection, max: 1 }, () => {})
    try {
      return await storedRows(pool)
    } finally {
      await pool.end()
      await postgres.stop()
    }
  },
})
