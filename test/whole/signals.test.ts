import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { makeFolder } from "@restwell/testing/database"
import { linesBesideRequests, programEnvironment, spawnCommand, startServiceProcess } from "@restwell/testing/service"
import { beforeEach, expect, onTestFinished, test } from "vitest"
import { processesIn } from "../starts/processes-in.ts"

const LONGEST_GONE_MS = 30_000

let dataDir: string
beforeEach(async () => {
  dataDir = await makeFolder("signals")
  onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 3 }))
})

const expectNothingLeft = () => expect.poll(() => processesIn(dataDir), { timeout: LONGEST_GONE_MS }).toEqual([])

test.each(["SIGHUP", "SIGQUIT", "SIGINT", "SIGTERM"] as const)(
  "%s drains, stops PostgreSQL, and exits with 0",
  async (signal) => {
    const service = await startServiceProcess({ environment: { DATA_DIR: dataDir } })
    expect(await service.stop(signal)).toBe(0)
    expect(service.log.at(-1)).toContain('"msg":"stopped"')
    expect(service.errors()).toBe("")
    expect(await processesIn(dataDir)).toEqual([])
    expect(linesBesideRequests(service.log).filter((line) => /"level":[56]0/.test(line))).toEqual([])
  },
)

test("a second signal ends the process at once with 1, and PostgreSQL ends by itself", async () => {
  const service = await startServiceProcess({ environment: { DATA_DIR: dataDir } })
  const server = await processesIn(dataDir)
  expect(server.length).toBeGreaterThan(1)
  process.kill(service.pid, "SIGTERM")
  process.kill(service.pid, "SIGHUP")
  expect(await service.ended).toBe(1)
  await expectNothingLeft()
})

/** Sends SIGTERM to itself as soon as a handler of it is installed. */
const SIGNALS_ITSELF = `data:text/javascript,${encodeURIComponent(
  'process.on("newListener", (name) => name === "SIGTERM" && setImmediate(() => process.kill(process.pid, name)))',
)}`

test("a signal while the program is being imported ends it with 0, and nothing is left running", async () => {
  const child = spawnCommand(["start"], { DATA_DIR: dataDir, PORT: "0", NODE_OPTIONS: `--import ${SIGNALS_ITSELF}` })
  expect(await once(child, "exit")).toEqual([0, null])
  expect(await processesIn(dataDir)).toEqual([])
})

test.runIf(process.getuid?.() === 0)(
  "root's PostgreSQL runs as the same user when Ctrl-C ends a program that would name the users",
  async () => {
    const programs = join(dataDir, "programs")
    await mkdir(programs)
    await writeFile(join(programs, "id"), "#!/bin/sh\nkill -s INT $$\n", { mode: 0o755 })
    const PATH = `${programs}:${process.env["PATH"]}`
    const service = await startServiceProcess({ environment: { DATA_DIR: dataDir, PATH } })
    expect(await service.stop()).toBe(0)
    const next = await startServiceProcess({ environment: { DATA_DIR: dataDir } })
    expect(await next.stop()).toBe(0)
  },
)

test.each(["rotate-secret", "re-encrypt"])(
  "restwell %s that is interrupted says so and leaves nothing",
  async (name) => {
    const service = await startServiceProcess({ environment: { DATA_DIR: dataDir } })
    expect(await service.stop()).toBe(0)
    const child = spawnCommand([name], { DATA_DIR: dataDir })
    let errors = ""
    child.stderr?.on("data", (text) => {
      errors += text
    })
    await expect.poll(() => processesIn(dataDir), { timeout: 30_000, interval: 10 }).not.toEqual([])
    child.kill("SIGINT")
    expect(await once(child, "close")).toEqual([1, null])
    expect(errors).toBe("restwell: interrupted before everything was done: run the command again\n")
    expect(await processesIn(dataDir)).toEqual([])
  },
)

test("a demo that is interrupted leaves nothing, and the next one works", async () => {
  const environment = { PORT: "0" }
  const start = () => spawnCommand(["demo"], environment, { cwd: dataDir })
  const interrupted = start()
  // It works in that folder itself.
  await expect
    .poll(async () => (await processesIn(`${dataDir}/.demo`)).length, { timeout: 30_000, interval: 10 })
    .toBeGreaterThan(0)
  interrupted.kill("SIGINT")
  expect(await once(interrupted, "exit")).toEqual([0, null])
  expect(await processesIn(dataDir)).toEqual([])
  const whole = start()
  let printed = ""
  whole.stdout?.on("data", (text) => {
    printed += text
  })
  await expect.poll(() => printed, { timeout: 40_000 }).toContain("Restwell is ready")
  whole.kill("SIGTERM")
  expect(await once(whole, "exit")).toEqual([0, null])
  expect(await processesIn(dataDir)).toEqual([])
}, 90_000)

const hasTerminals = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0

test.runIf(hasTerminals)(
  "a terminal that is closed ends the service and its PostgreSQL, although nothing more can be logged",
  async () => {
    const environment = { ...programEnvironment(), DATA_DIR: dataDir, PORT: "0" }
    const program = new URL(import.meta.resolve("@restwell/server/bin")).pathname
    const terminal = spawn("script", ["-qec", `'${process.execPath}' '${program}' start`, "/dev/null"], {
      env: environment,
      stdio: ["ignore", "pipe", "inherit"],
    })
    let printed = ""
    terminal.stdout.on("data", (text) => {
      printed += text
    })
    await expect.poll(() => printed, { timeout: 40_000 }).toContain("Restwell is running")
    terminal.kill("SIGKILL")
    await expectNothingLeft()
  },
  90_000,
)
