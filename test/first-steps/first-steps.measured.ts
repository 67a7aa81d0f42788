/**
 * `npm run test:first-steps`: the time from the first command to the first own answer, with nothing but the page docs/first-steps.md, the
 * package file and an empty npm cache. Downloads about 100 MB. The vendor is the simulator, and nobody reads or types.
 */
import { copyFile, mkdir, rm } from "node:fs/promises"
import { cpus } from "node:os"
import { basename, join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { launchChromium, visit } from "@restwell/testing/browser"
import { makeFolder } from "@restwell/testing/database"
import { reservePort } from "@restwell/testing/port"
import { startVendor } from "@restwell/testing/vendor"
import { expect, test } from "vitest"
import { z } from "zod"
import { writePackage } from "../../scripts/package.ts"
import { readFences } from "../manual/read-fences.ts"
import { setUp } from "./set-up.ts"
import { Terminal } from "./terminal.ts"

const AnswerSchema = z.object({ records: z.array(z.object({ source: z.string(), date: z.string() })) })
const recordsIn = (output: string): number => AnswerSchema.parse(JSON.parse(output)).records.length

/** The page has one block of commands for each of these. */
async function readCommands(port: number): Promise<{ install: string; demo: string; start: string; ask: string }> {
  const blocks = (await readFences("docs/first-steps.md")).filter(({ language }) => language === "sh")
  expect(blocks).toHaveLength(3)
  const [begin = "", start = "", ask = ""] = blocks.map(({ text }) => text.trim().replaceAll(":3000", `:${port}`))
  const [install = "", demo = "", ...rest] = begin.split("\n")
  expect(rest).toEqual([])
  return { install, demo, start, ask }
}

class Stopwatch {
  readonly seconds: Record<string, number> = {}
  #since = performance.now()

  /** Ends a step. */
  lap(step: string): void {
    const now = performance.now()
    this.seconds[step] = (now - this.#since) / 1000
    this.#since = now
  }
}

test("the page of first steps leads to an own answer", async () => {
  const folder = await makeFolder("first-steps")
  const vendor = await startVendor({ days: 365 })
  vendor.people.add({ email: "lena@vendor.example" })
  await using browser = await launchChromium()
  using reserved = reservePort()
  const { port } = reserved
  const { install, demo, start, ask } = await readCommands(port)
  const app = join(folder, "app")
  await mkdir(app)
  const file = await writePackage(folder)
  await copyFile(file, join(app, basename(file)))
  const environment = { npm_config_cache: join(folder, "cache"), PORT: String(port) }
  const terminal = new Terminal(app, environment)
  const watch = new Stopwatch()
  try {
    await terminal.run(install)
    watch.lap("npm install")
    {
      await using running = await terminal.start(demo, /^\s*curl /)
      watch.lap("start of the demo")
      expect(recordsIn(await terminal.run(running.line))).toBeGreaterThan(0)
      watch.lap("the demo's answer")
      await running.pressCtrlC()
      watch.lap("stop of the demo")
    }
    // The demo has a vendor of its own, and takes no address of one.
    const own = new Terminal(app, { ...environment, WHOOP_BASE_URL: vendor.url })
    await using running = await own.start(start, /^\s*Set up\s+http/)
    watch.lap("start of the own service")
    const { page, faults } = await visit(browser, { url: `http://localhost:${port}` })
    const key = await setUp(page, /http\S+/.exec(running.line)?.[0] ?? "no link", (step) => watch.lap(step))
    const asking = ask.replace("rw_...", key)
    expect(asking).toContain(key)
    while (recordsIn(await terminal.run(asking)) === 0) await wait(100)
    watch.lap("the first own answer")
    await running.pressCtrlC()
    expect(running.printed()).toContain("Restwell has stopped.")
    // Nothing that a person would have to decode.
    expect(running.printed()).not.toMatch(/[{}]|Error|Warning|\n\s+at /)
    expect(faults).toEqual([])
    report(watch.seconds)
  } finally {
    await vendor.close()
    await rm(folder, { recursive: true, force: true })
  }
})

function report(seconds: Readonly<Record<string, number>>): void {
  const steps = Object.entries(seconds)
  const total = steps.reduce((sum, [, each]) => sum + each, 0)
  const lines = [...steps, [`in all, on ${cpus().length} processors of ${cpus()[0]?.model}`, total] as const]
  process.stdout.write(`${lines.map(([step, each]) => `${each.toFixed(1).padStart(7)} s  ${step}`).join("\n")}\n`)
}
