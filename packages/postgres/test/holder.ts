/** A process that holds an embedded PostgreSQL as the service does, with a transaction open, and says what happens to it, line by line. */
import { Client } from "pg"
import { startEmbeddedPostgres } from "../src/embedded-postgres.ts"

const [dataDir = ""] = process.argv.slice(2)
const say = (text: string): boolean => process.stdout.write(`${text}\n`)

try {
  const postgres = await startEmbeddedPostgres({ dataDir, onLost: () => say("lost") })
  const client = new Client(postgres.connection)
  client.on("error", () => say("broken"))
  await client.connect()
  await client.query("create table if not exists drained (n integer)")
  await client.query("begin")
  await client.query("insert into drained values (1)")
  process.on("SIGINT", async () => {
    // Draining takes a while, in which the database is there for accepted requests.
    await client.query("select pg_sleep(0.5)")
    await client.query("commit")
    await client.end()
    await postgres.stop()
    process.exit(0)
  })
  say(`holds ${postgres.connection.host} ${postgres.directory}`)
} catch (error) {
  say(`refused ${error instanceof Error ? `${error.name}: ${error.message}` : error}`)
  process.exit(1)
}
