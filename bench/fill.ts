/**
 * `npm run bench:fill -- --people 1000000 --days 90`: fills a database with people who have keys, connections and records. DATABASE_URL or
 * --database-url names the database, whose user must be a superuser. The key of a person is `apiKeyOfMember(number)`.
 */
import { parseArgs } from "node:util"
import { migrate, openDatabase, openPool } from "@restwell/core"
import { print } from "./measuring/print.ts"
import { type Filled, fillPopulation } from "./population/fill-population.ts"

const { values } = parseArgs({
  options: {
    "database-url": { type: "string" },
    people: { type: "string", default: "1000" },
    days: { type: "string", default: "90" },
    /** The number of the first person, to continue an earlier fill. */
    first: { type: "string", default: "0" },
    templates: { type: "string", default: "32" },
    "fresh-days": { type: "string", default: "0" },
    "rebuild-indexes": { type: "boolean", default: false },
  },
})

const connectionString = values["database-url"] ?? process.env["DATABASE_URL"]
if (connectionString === undefined) throw new Error("name the database with --database-url")
const pool = openPool({ connectionString, max: 1 }, () => {})
await migrate(openDatabase(pool))
await pool.end()

print(["step", "rows", "MB sent", "s", "rows/s", "MB/s"])
let former: Filled = { rows: 0, bytes: 0, seconds: 0 }
const printFilled = (step: string, { rows, bytes, seconds }: Filled): boolean => {
  const megabytes = bytes / 1e6
  const rates = [rows / seconds, megabytes / seconds].map((rate) => rate.toFixed(0))
  return print([step, rows, megabytes.toFixed(0), seconds.toFixed(1), ...rates])
}
const filled = await fillPopulation({
  connection: { connectionString },
  cohorts: [{ first: Number(values.first), people: Number(values.people), days: Number(values.days) }],
  templates: Number(values.templates),
  freshDays: Number(values["fresh-days"]),
  rebuildIndexes: values["rebuild-indexes"],
  onProgress(step, now) {
    const { rows, bytes, seconds } = former
    printFilled(step, { rows: now.rows - rows, bytes: now.bytes - bytes, seconds: now.seconds - seconds })
    former = now
  },
})
printFilled("all", filled)
