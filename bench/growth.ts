/**
 * `npm run bench:growth -- --people 1000000 --days 8`: what a counted read costs when there are a million people, and when a person has ten years of
 * history. The service is a process of its own, the store the embedded PostgreSQL in the folder for temporary files. Figures of different
 * machines do not compare; the ratio to the smallest does.
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
