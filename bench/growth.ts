/**
 * `npm run bench:growth -- --people 1000000 --days 8`: how long a read takes with a million people, and with ten years of history. The service
 * is its own process, with an embedded PostgreSQL in the temporary folder. Compare only the ratios between machines.
 */
import { parseArgs } from "node:util"
import { growth } from "./growth/growth.ts"
import { printGrowth } from "./growth/print-growth.ts"

const { values } = parseArgs({
  options: {
    people: { type: "string", default: "1000000" },
    days: { type: "string", default: "1" },
    "fresh-days": { type: "string", default: "0" },
    reads: { type: "string", default: "300" },
  },
})

const interrupted = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => interrupted.abort(new Error("interrupted")))

printGrowth(
  await growth({
    people: Number(values.people),
    days: Number(values.days),
    freshDays: Number(values["fresh-days"]),
    reads: Number(values.reads),
    signal: interrupted.signal,
    onFilled: (stage, rows, seconds) =>
      void process.stdout.write(`${stage}: ${rows} rows in ${seconds.toFixed(0)} s\n`),
  }),
)
