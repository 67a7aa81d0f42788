/**
 * Part of `npm run test:first-steps`: README's commands as they are written, in a clone and in an empty folder with the package, each with an
 * empty npm cache and the machine's own Node.js. Downloads about 400 MB.
 */
import { execFile } from "node:child_process"
import { copyFile, mkdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { makeFolder } from "@restwell/testing/database"
import { reservePort } from "@restwell/testing/port"
import { expect, test } from "vitest"
import { readFences } from "../manual/read-fences.ts"
import { type Running, Terminal } from "./terminal.ts"

const REPOSITORY = join(import.meta.dirname, "..", "..")
const PACKAGE = "restwell-0.1.0.tgz"

/** What differs between two runs. */
const withoutValues = (text: string): string =>
  text
    .replaceAll("\r", "")
    .replaceAll(/\d+\.\d s /g, "1.0 s ")
    .replaceAll(/localhost:\d+/g, "localhost:3000")
    .replaceAll(/rw_[\w.]+/g, "rw_...")
    .replaceAll(/password \S+/g, "password ...")
    .replaceAll(/#[\dA-F-]{14}/g, "#CODE")
    .replaceAll(/\/\S+\/(\.demo|data)/g, "/FOLDER/$1")
    .trim()

/** Expects that a command printed what README says. */
function expectPrinted(running: Running, block: string): void {
  expect(withoutValues(running.printed())).toContain(withoutValues(block))
}

async function readBlocks() {
  const fences = await readFences("README.md")
  const [clone = "", pack = "", install = "", start = ""] = fences
    .filter(({ language }) => language === "sh")
    .map(({ text }) => text.trim())
  const [demoOutput = "", startOutput = ""] = fences
    .filter(({ language, text }) => language === "" && text.startsWith("Restwell is "))
    .map(({ text }) => text)
  return { clone, pack, install, start, demoOutput, startOutput }
}

test("README leads from a clone to the demo, to the package, and to an own Restwell", async () => {
  const folder = await makeFolder("readme")
  using reserved = reservePort()
  const environment = { npm_config_cache: join(folder, "cache"), PORT: String(reserved.port) }
  const { clone, pack, install, start, demoOutput, startOutput } = await readBlocks()
  const repository = join(folder, "clone")
  const app = join(folder, "app")
  try {
    await promisify(execFile)("git", ["clone", "--quiet", REPOSITORY, repository])
    const inClone = new Terminal(repository, environment)
    for (const command of [pack, "npm run demo", "npm start", "npm run check", "npm test"])
      await expect(inClone.run(command)).rejects.toThrow("Run `npm ci` first.")
    {
      await using demo = await inClone.start(clone, /^\s*curl /)
      expectPrinted(demo, demoOutput)
      await inClone.run(`${demo.line} --silent --fail-with-body`)
      await demo.pressCtrlC()
    }
    expect(await inClone.run(pack)).toContain(PACKAGE)
    await mkdir(app)
    await copyFile(join(repository, "dist", PACKAGE), join(app, PACKAGE))
    const inApp = new Terminal(app, environment)
    {
      await using demo = await inApp.start(install.replaceAll("\n", " && "), /^\s*curl /)
      expectPrinted(demo, demoOutput)
      await demo.pressCtrlC()
    }
    await using own = await inApp.start(start, /Stop +Ctrl-C/)
    expectPrinted(own, startOutput)
    await own.pressCtrlC()
    expect(own.printed()).not.toMatch(/[{}]|Error|Warning|\n\s+at /)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test("the client's README installs the client in a program's own folder", async () => {
  const folder = await makeFolder("client-readme")
  try {
    const blocks = (await readFences("packages/client/README.md")).filter(({ language }) => language === "sh")
    const [pack = "", install = ""] = blocks.map(({ text }) => text.trim())
    await promisify(execFile)("bash", ["-ec", `${pack} '${folder}'`.replace("npm run package", "npm run package --")], {
      cwd: REPOSITORY,
    })
    const terminal = new Terminal(folder, { npm_config_cache: join(folder, "cache") })
    await terminal.run("npm init --yes && npm pkg set type=module")
    await terminal.run(install)
    const program = 'import { createClient } from "@restwell/client"; console.log(typeof createClient)'
    expect(await terminal.run(`node --eval '${program}' --input-type=module`)).toBe("function\n")
    expect(await readFile(join(folder, "package.json"), "utf8")).toContain("restwell-client-0.1.0.tgz")
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
