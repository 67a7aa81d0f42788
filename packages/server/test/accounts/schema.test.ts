import { createTokenCipher } from "@restwell/core"
import { createTestDatabase } from "@restwell/testing/database"
import { getMigrations } from "better-auth/db/migration"
import { expect, test } from "vitest"
import { createAuth } from "../../src/accounts/better-auth.ts"

const SECRET = "a secret of at least thirty-two characters"
const silent = { debug() {}, info() {}, warn() {}, error() {} }

test("has every table, column and index that better-auth needs, with its rate limits too", async () => {
  const store = await createTestDatabase()
  try {
    await store.pool.query(
      `alter role current_user in database ${store.connection.database} set search_path = restwell`,
    )
    const { options } = createAuth({
      context: {
        database: store.database,
        clock: { now: () => new Date(0) },
        logger: silent,
        cipher: createTokenCipher([SECRET]),
      },
      baseUrl: "http://localhost:3000",
      secret: SECRET,
    })
    const rateLimit = { storage: "database" } as const
    const { toBeCreated, toBeAdded, toBeAddedIndexes } = await getMigrations({ ...options, rateLimit })
    expect({ toBeCreated, toBeAdded, toBeAddedIndexes }).toEqual({
      toBeCreated: [],
      toBeAdded: [],
      toBeAddedIndexes: [],
    })
  } finally {
    await store.drop()
  }
})
