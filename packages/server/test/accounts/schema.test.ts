import { passkey } from "@better-auth/passkey"
import { openPool } from "@restwell/core"
import { createTestDatabase } from "@restwell/testing/database"
import { getMigrations } from "better-auth/db/migration"
import { expect, test } from "vitest"

test("has every table and column that better-auth needs, with its rate limits too", async () => {
  const store = await createTestDatabase()
  // Ending a pool does not wait for its connections, and dropping the database breaks what is left of them.
  const pool = openPool({ ...store.connection, options: "-c search_path=restwell" }, () => {})
  const { toBeCreated, toBeAdded } = await getMigrations({
    database: pool,
    emailAndPassword: { enabled: true },
    rateLimit: { storage: "database" },
    plugins: [passkey()],
  })
  expect({ toBeCreated, toBeAdded }).toEqual({ toBeCreated: [], toBeAdded: [] })
  await pool.end()
  await store.drop()
})
