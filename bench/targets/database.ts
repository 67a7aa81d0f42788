import { Client, type PoolConfig } from "pg"

/** Runs statements on its own connection, for changes that are not possible over HTTP. */
export async function withClient<Result>(
  database: PoolConfig,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(database)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
