import { passkey } from "@better-auth/passkey"
import { getMigrations } from "better-auth/db/migration"
import { Pool } from "pg"
import { expect, test } from "vitest"
import { createTestDatabase } from "../../../../test/support/database.ts"

test("better-auth finds no table, column or index missing in ours", async () => {
  const store = await createTestDatabase()
  const pool = new Pool({ ...store.connection, options: "-c search_path=restwell" })
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
