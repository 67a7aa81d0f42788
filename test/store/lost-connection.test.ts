import { type Database, databaseTrouble, openDatabase, openPool } from "@restwell/core"
import { JOB_POOL } from "@restwell/server/pools"
import { createTestDatabase, type TestDatabase } from "@restwell/testing/database"
import { sql, type Transaction } from "kysely"
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest"

const LOST = /terminating connection due to administrator command/

let store: TestDatabase
beforeEach(async () => {
  store = await createTestDatabase()
})
afterEach(() => store.drop())

type AnyTransaction = Transaction<Database>

async function loseBackend(transaction: AnyTransaction): Promise<void> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
  await store.pool.query("select pg_terminate_backend($1, 5000)", [rows[0]?.pid])
}

test.each([
  [
    "in the middle of a statement",
    async (transaction: AnyTransaction) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
      const sleeping = sql`select pg_sleep(30)`.execute(transaction)
      await Promise.all([sleeping, store.pool.query("select pg_terminate_backend($1, 5000)", [rows[0]?.pid])])
    },
  ],
  [
    "between two statements",
    async (transaction: AnyTransaction, loss: Promise<unknown>) => {
      await loseBackend(transaction)
      // A statement that is sent before the server's word has arrived would find a broken pipe.
      await loss
      await sql`select 1`.execute(transaction).catch(() => {})
      await sql`select 2`.execute(transaction)
    },
  ],
] as const)("a transaction that loses its backend %s fails with the reason of the loss", async (_when, work) => {
  const pool = openPool({ ...store.connection, max: 2 }, () => {})
  const { promise: loss, resolve } = Promise.withResolvers<unknown>()
  pool.on("connect", (client) => client.once("error", resolve))
  try {
    const error = await openDatabase(pool)
      .transaction()
      .execute((transaction) => work(transaction, loss))
      .catch((thrown: unknown) => thrown)
    expect(String(error)).toMatch(LOST)
    expect(databaseTrouble(error)).toBe("the database does not answer, try again in a moment")
    // The next transaction has another connection.
    await openDatabase(pool)
      .transaction()
      .execute((transaction) => sql`select 1`.execute(transaction))
  } finally {
    await pool.end()
  }
})

test("a connection of jobs that is used every two seconds is replaced after two minutes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  onTestFinished(() => void vi.useRealTimers())
  await using opened = new AsyncDisposableStack()
  const pool = openPool({ ...store.connection, ...JOB_POOL }, () => {})
  opened.defer(() => pool.end())
  const backends: number[] = []
  for (let seconds = 0; seconds <= 130; seconds += 2) {
    const { rows } = await pool.query<{ pid: number }>("select pg_backend_pid() as pid")
    backends.push(...rows.map(({ pid }) => pid))
    await vi.advanceTimersByTimeAsync(2000)
  }
  expect(new Set(backends.slice(0, 60)).size).toBe(1)
  expect(new Set(backends).size).toBe(2)
})
