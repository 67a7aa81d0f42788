import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely"
import type { PoolClient } from "pg"
import { type Database, SCHEMA } from "../store/database.ts"

/** Its transactions are savepoints of the connection's own transaction. */
class SavepointDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("savepoint nested"))
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("release savepoint nested"))
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("rollback to savepoint nested"))
  }

  override async releaseConnection(): Promise<void> {
    // The connection stays with the transaction that it was made for.
  }
}

/** The database as a connection sees it within its open transaction. What is written stays only if that one is committed. */
export function nestedDatabase(client: PoolClient): Kysely<Database> {
  const pool = { connect: async () => client, end: async () => {}, options: {} }
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new SavepointDriver({ pool }),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }).withSchema(SCHEMA)
}
