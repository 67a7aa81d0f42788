// What a person sees at a terminal. `script` gives the command one.
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { makeFolder } from "@restwell/testing/database"
import { Member } from "@restwell/testing/member"
import { reservePort } from "@restwell/testing/port"
import { programEnvironment, runCommand } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

const hasTerminals = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0
const PROGRAM = new URL(import.meta.resolve("@restwell/server/bin")).pathname

let folder: string
beforeAll(async () => {
  folder = await makeFolder("terminal")
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a command as a person does, until it has printed a text. */
async function atTerminal(commandLine: string, until: RegExp, environment: Readonly<Record<string, string>> = {}) {
  const terminal = spawn("script", ["-qec", `'${process.execPath}' '${PROGRAM}' ${commandLine}`, "/dev/null"], {
    cwd: folder,
    env: { ...programEnvironment(), ...environment },
    stdio: ["pipe", "pipe", "inherit"],
  })
  const ended = once(terminal, "exit")
  let printed = ""
  terminal.stdout.on("data", (text) => {
    printed += text
  })
  await expect.poll(() => printed, { timeout: 60_000 }).toMatch(until)
  return {
    printed: () => printed.replaceAll("\r", ""),
    async pressCtrlC() {
      terminal.stdin.write("\x03")
      await ended
    },
  }
}

describe.runIf(hasTerminals)("in a terminal", () => {
  test("the start prints what a person needs, and nothing that a person must decode", async () => {
    using reserved = reservePort()
    const data = join(folder, "own")
    const options = `--port ${reserved.port} --data-dir ${data}`
    const running = await atTerminal(`start ${options}`, /Stop {4}Ctrl-C/)
    const link = /Set up {2}(\S+)/.exec(running.printed())?.[1] ?? "no link"
    expect(link).toMatch(new RegExp(`^http://localhost:${reserved.port}/setup#[\\dA-F-]{14}$`))
    expect(running.printed()).toContain(`  Data    ${data}\n  Log     ${join(data, "restwell.log")}\n`)
    const doctor = await runCommand(["doctor", "--port", String(reserved.port), "--data-dir", data], {})
    expect([doctor.code, doctor.output]).toEqual([0, expect.stringContaining(`not set up yet: open ${link}\n`)])
    await new Member({ url: new URL(link).origin }).setUp(new URL(link).hash.slice(1))
    await running.pressCtrlC()
    expect(running.printed()).toContain("Restwell is stopping.\nRestwell has stopped.\n")
    expect(running.printed()).not.toMatch(/[{}]|Warning|Error/)
    expect(await readFile(join(data, "restwell.log"), "utf8")).toContain('"msg":"Restwell is running"')
    const again = await atTerminal(`start ${options}`, /Stop {4}Ctrl-C/)
    expect(again.printed()).toContain(`  Open    http://localhost:${reserved.port}/\n`)
    expect(again.printed()).toContain("Warning: no vendor's app is configured: the owner does that on the page Service")
    await again.pressCtrlC()
  }, 120_000)

  test("LOG_FORMAT=json prints the log, and --open opens the link in the browser", async () => {
    const bin = join(folder, "bin")
    await mkdir(bin)
    for (const name of ["xdg-open", "open"]) {
      await writeFile(join(bin, name), `#!/bin/sh\necho "$1" > '${join(folder, "opened")}'\n`)
      await chmod(join(bin, name), 0o755)
    }
    const PATH = `${bin}:${process.env["PATH"]}`
    const options = `--open --port 0 --data-dir ${join(folder, "json")}`
    const running = await atTerminal(`start ${options}`, /Restwell is running"\}/, { PATH, LOG_FORMAT: "json" })
    const opened = () => readFile(join(folder, "opened"), "utf8").catch(() => "")
    await expect.poll(opened).toMatch(/^http:\/\/localhost:\d+\/setup#[\dA-F-]{14}\n$/)
    expect(running.printed()).not.toContain("Ctrl-C")
    expect(await readdir(join(folder, "json"))).not.toContain("restwell.log")
    await running.pressCtrlC()
  }, 120_000)
})

test.each([
  [["people"]],
  [["people", "invite"]],
  [["people", "set-owner", "a@b.example"]],
  [["reset-password", "a@b.example"]],
  [["export", "--account", "a@b.example"]],
  [["backup", "x.backup"]],
  [["rotate-secret"]],
  [["re-encrypt"]],
])("%j makes no database, and points to the demo's beside it", async (commandLine) => {
  const place = await makeFolder("no-data")
  const nowhere = await runCommand(commandLine, {}, { cwd: place })
  expect([nowhere.code, nowhere.errors]).toEqual([1, expect.stringContaining("there is no Restwell in ")])
  expect(nowhere.errors).toContain("use --data-dir, set DATA_DIR or DATABASE_URL")
  expect(await readdir(place)).toEqual([])
  await mkdir(join(place, ".demo", "postgres", "cluster"), { recursive: true })
  const beside = await runCommand(commandLine, {}, { cwd: place })
  expect([beside.code, beside.errors]).toEqual([1, expect.stringContaining("set DATA_DIR=.demo")])
  expect(await readdir(place)).toEqual([".demo"])
  await rm(place, { recursive: true })
})

test("on a new machine the doctor finds nothing wrong, says what to do, and changes nothing", async () => {
  const place = await makeFolder("new-machine")
  const { code, output } = await runCommand(["doctor"], {}, { cwd: place })
  expect([code, output]).toEqual([0, expect.stringMatching(/not set up yet: run `restwell start`, and open the link/)])
  expect(output).not.toContain("FAILED")
  expect(await readdir(place)).toEqual([])
  await rm(place, { recursive: true })
})
