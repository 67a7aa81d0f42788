import { Client, type QueryResultRow } from "pg"

/** Runs one statement on a connection of its own. */
export async function queryOnce<Row extends QueryResultRow>(
  connectionString: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString })
  // A connection that breaks fails its statement, and then emits an error.
  client.on("error", () => {})
  try {
    await client.connect()
    return (await client.query<Row>(text, [...values])).rows
  } finally {
    await client.end()
  }
}
