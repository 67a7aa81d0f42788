import { cpus, totalmem } from "node:os"
import type { PoolConfig } from "pg"
import { z } from "zod"
import { withClient } from "./database.ts"

const VersionSchema = z.tuple([z.object({ server_version: z.string() })])
const BYTES_PER_GIB = 2 ** 30

/** Prints the machine, versions and date of the figures. */
export async function printMachine(database: PoolConfig): Promise<void> {
  const { rows } = await withClient(database, (client) => client.query("show server_version"))
  const [{ server_version: postgres }] = VersionSchema.parse(rows)
  const [processor] = cpus()
  const facts = [
    `${processor?.model.trim()}, ${cpus().length} cores`,
    `${(totalmem() / BYTES_PER_GIB).toFixed(0)} GiB of memory`,
    `Node.js ${process.versions.node}`,
    `PostgreSQL ${postgres}`,
    Temporal.Now.plainDateISO("UTC").toString(),
  ]
  process.stdout.write(`${facts.join(" · ")}\n`)
  process.stdout.write(
    "Load, service, database and limit share these cores, over loopback; figures of other machines do not compare, shares do.\n",
  )
}
