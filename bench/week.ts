/**
 * `npm run bench:week -- [people] [days]`: a simulated week of many people with one WHOOP app. Measures how often the vendor is called, and how
 * soon a scored night is in the API. The vendor, its limits, webhooks, database and jobs are real. The clock is simulated.
 */
import { DAY_MS, MINUTE_MS } from "@restwell/client/time-units"
import { print } from "./measuring/print.ts"
import { startWeek } from "./week/week.ts"

const [people = 1000, days = 7] = process.argv.slice(2).map(Number)
/** Calls per person and day. */
const GOAL = 8

const week = await startWeek(people)
const connecting = performance.now()
await week.connectAll()
await week.live(DAY_MS, MINUTE_MS)
await week.limit()
process.stdout.write(`${people} people connected, one day simulated in ${secondsSince(connecting)} s\n`)
const began = performance.now()
const figures = await week.measure(() => week.live(days * DAY_MS, MINUTE_MS))

print(["per person and day", "calls"])
for (const [name, calls] of figures.callsByPurpose) print([name, (calls / people / days).toFixed(2)])
print(["all", (figures.calls / people / days).toFixed(2)])
print(["goal", GOAL.toFixed(2)])
print(["busiest minute, of 100", figures.busiestMinute])
print(["busiest day, of 10000", figures.busiestDay])
process.stdout.write("\n")
print(["scored night to API", "p50", "p99", "max"])
print(["waiting for the budget, s", ...figures.budgetWaits.map((ms) => (ms / 1000).toFixed(0))])
print(["webhook to read, ms of this machine", ...figures.readTimes.map((ms) => ms.toFixed(0))])
print(["nights", figures.nights, "missing", figures.missing])
process.stdout.write(`\n${days} days in ${secondsSince(began)} s\n`)
await week.close()
if (figures.calls / people / days > GOAL || figures.missing > 0) process.exitCode = 1
if (figures.busiestMinute > 100 || figures.busiestDay > 10_000) process.exitCode = 1

function secondsSince(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(0)
}
