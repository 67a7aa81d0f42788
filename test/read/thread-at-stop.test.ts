// A process that stops while nothing but the thread of the statistics is left of it stops to its end.
import { execFile } from "node:child_process"
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { makeFolder } from "@restwell/testing/database"
import { expect, test } from "vitest"

const CORE = import.meta.resolve("@restwell/core")
/** As after an outage of the database: no connection and no timer keeps the process. */
const PROGRAM = `
import { StatisticsThread } from ${JSON.stringify(CORE)}
const connection = { connectionString: "postgres://127.0.0.1:1/none" }
const thread = new StatisticsThread({ connection, wait: () => new Promise(() => {}) })
const held = setInterval(() => {}, 1000)
await thread.compute("ada", {}).catch(() => {})
clearInterval(held)
await thread[Symbol.asyncDispose]()
console.log("stopped")
`

test("a stop waits for the thread of the statistics, and goes on after it", async () => {
  const folder = await makeFolder("stop")
  try {
    const program = join(folder, "stop.mjs")
    await writeFile(program, PROGRAM)
    expect(await promisify(execFile)(process.execPath, [program])).toMatchObject({ stdout: "stopped\n" })
  } finally {
    await rm(folder, { recursive: true })
  }
})
