/** A process that holds an embedded PostgreSQL as the service does, and says what happens to it, line by line. */
import { Client } from "pg"
import { startEmbeddedPostgres } from "../../src/postgres/embedded-postgres.ts"

const [dataDir = ""] = process.argv.slice(2)
const say = (text: string): boolean => process.stdout.write(`${text}\n`)

try {
  const postgres = await startEmbeddedPostgres({ dataDir })
  process.on("SIGINT", async () => {
    // Draining: the database is still there for what was accepted.
    const client = new Client(postgres.connection)
    await client.connect()
    await client.query("insert into drained values (1)")
    await client.end()
    await postgres.stop()
    say("drained")
    process.exit(0)
  })
  say(`holds ${postgres.connection.host}`)
  setInterval(() => {}, 1000)
} catch (error) {
  say(`refused ${error instanceof Error ? `${error.name}: ${error.message}` : error}`)
  process.exit(1)
}
