// A simulated week of many people with one WHOOP app: how often the vendor is called, and how soon a scored night is in the API.
// node bench/week.ts [people] [days]. The vendor, its limits, the webhooks, the database and the work are real; the clock is not.
import { print } from "./measuring/print.ts"
import { startWeek } from "./week/week-world.ts"

const [people = 1000, days = 7] = process.argv.slice(2).map(Number)
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const world = await startWeek(people)
const settling = performance.now()
await world.connectAll()
await world.live(DAY_MS, MINUTE_MS)
await world.limit()
process.stdout.write(`${people} people connected, one day lived in ${seconds(settling)} s\n`)
const began = performance.now()
const week = await world.measure(() => world.live(days * DAY_MS, MINUTE_MS))

print(["per person and day", "calls"])
for (const [name, calls] of week.callsByPurpose) print([name, (calls / people / days).toFixed(2)])
print(["all", (week.calls / people / days).toFixed(2)])
print(["aim", "8.00"])
print(["busiest minute, of 100", week.busiestMinute])
print(["busiest day, of 10000", week.busiestDay])
process.stdout.write("\n")
print(["scored night to API", "p50", "p99", "max"])
print(["waiting for the budget, s", ...week.budgetWaits.map((ms) => (ms / 1000).toFixed(0))])
print(["webhook to answer, ms of this machine", ...week.answerTimes.map((ms) => ms.toFixed(0))])
print(["nights", week.nights, "missing", week.missing])
process.stdout.write(`\n${days} days in ${seconds(began)} s\n`)
await world.close()
if (week.calls / people / days > 8 || week.missing > 0 || week.busiestMinute > 100 || week.busiestDay > 10_000)
  process.exitCode = 1

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(0)
}
