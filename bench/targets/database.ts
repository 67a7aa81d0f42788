import { Client, type PoolConfig } from "pg"

/** Does something on a connection of its own, for what no person could do over HTTP. */
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
