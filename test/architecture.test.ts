import { spawnSync } from "node:child_process"
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { architectureFaults } from "../scripts/check/architecture.ts"
import { FOLDERS } from "../scripts/check/layers.ts"

const REPOSITORY = join(import.meta.dirname, "..")

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "restwell-architecture-"))
})
afterEach(() => rm(root, { recursive: true }))

/** Writes files, paths as keys, into an empty repository. */
async function plant(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), `${text}\n`)
  }
}

async function faultsOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  await plant(files)
  return architectureFaults(root)
}

test("the repository keeps its own rules", async () => {
  expect(await architectureFaults()).toEqual([])
})

describe("layers", () => {
  test.each([
    ["an import of a higher layer", "client/src/a.ts", '"@restwell/core"', "client must not import @restwell/core"],
    ["an import of tests' support", "core/src/a.ts", '"@restwell/testing"', "core must not import @restwell/testing"],
    ["an import inside another package", "core/src/a.ts", '"@restwell/client/src/x.ts"', "reaches inside"],
    ["a path out of the package", "core/src/a.ts", '"../../client/src/x.ts"', "leaves its package"],
    ["the simulator outside the demo", "server/src/a.ts", '"@restwell/simulator"', "only the demo"],
    ["a package without a layer", "utils/src/a.ts", '"node:path"', "package utils has no layer"],
  ])("reports %s", async (_, path, name, fault) => {
    expect(await faultsOf({ [`packages/${path}`]: `import { x } from ${name}` })).toEqual([
      expect.stringContaining(fault),
    ])
  })
})

describe("the folders of a package", () => {
  test.each([
    [
      "core/src/store/statements/a.ts",
      "../../context/errors.ts",
      ["packages/core/src/store/statements/a.ts: store must not import ../../context/errors.ts"],
    ],
    [
      "core/src/store/a.ts",
      "../people/mail.ts",
      ["packages/core/src/store/a.ts: store must not import ../people/mail.ts"],
    ],
    [
      "core/src/nowhere/a.ts",
      "../base/a.ts",
      ["packages/core/src/nowhere/a.ts: its folder has no place, add it to scripts/check/layers.ts"],
    ],
    ["core/src/people/a.ts", "../store/database.ts", []],
    ["core/src/people/a.ts", "./mail.ts", []],
    ["core/src/index.ts", "./operate/a.ts", []],
    [
      "providers/src/garmin/a.ts",
      "../push/a.ts",
      ["packages/providers/src/garmin/a.ts: garmin must not import ../push/a.ts"],
    ],
  ])("%s with %s", async (path, name, faults) => {
    expect(await faultsOf({ [`packages/${path}`]: `import { x } from "${name}"` })).toEqual(faults)
  })

  test.each(Object.entries(FOLDERS))("have the order of the README of %s", async (name, folders) => {
    const readme = await readFile(join(REPOSITORY, "packages", name, "README.md"), "utf8")
    expect([...readme.matchAll(/^\| `([a-z-]+)\/` \|/gm)].map(([, folder]) => folder)).toEqual(folders)
  })
})

describe("imports of tests", () => {
  const importing = (name: string) => `import { x } from "${name}"`

  test.each([
    ["test/sync/a.test.ts", "../../packages/core/src/a.ts", "core"],
    ["bench/a.ts", "../packages/server/src/a.ts", "server"],
    ["packages/server/test/a.test.ts", "../../core/src/a.ts", "core"],
  ])("reports %s with a file of a package", async (path, name, other) => {
    expect(await faultsOf({ [path]: importing(name) })).toEqual([
      `${path}: ${name} is not exported by the package ${other}`,
    ])
  })

  test("allows exports, a package's own files, and other files of tests", async () => {
    const files = {
      "test/sync/a.test.ts": importing("@restwell/core"),
      "test/sync/b.test.ts": importing("../whole/network.ts"),
      "packages/core/test/a.test.ts": importing("../src/a.ts"),
      "packages/core/src/a.test.ts": importing("./a.ts"),
    }
    expect(await faultsOf(files)).toEqual([])
  })
})

describe("time and timers", () => {
  test.each([
    ["core/src/a.ts", "export const now = Date.now()", "must not read the time"],
    ["simulator/src/a.ts", "export const now = new Date()", "must not read the time"],
    ["core/src/a.ts", "setTimeout(run, 10)", "uses a real timer (setTimeout)"],
    ["core/src/a.ts", "setImmediate(run)", "uses a real timer (setImmediate)"],
    ["providers/src/a.ts", "setInterval(run, 10)", "uses a real timer (setInterval)"],
    ["server/src/a.ts", 'import { setTimeout as wait } from "node:timers/promises"', "(setTimeout, timers/promises)"],
    ["core/src/sync/a.ts", "setTimeout(flush, 10)", "uses a real timer (setTimeout)"],
  ])("reports %s with %s", async (path, text, fault) => {
    expect(await faultsOf({ [`packages/${path}`]: text })).toEqual([expect.stringContaining(fault)])
  })

  test.each([
    ["core/src/base/batch.ts", "setImmediate(flush)"],
    ["server/src/time/wait.ts", 'import { setTimeout as timer } from "node:timers/promises"'],
    ["core/src/a.ts", "socket.setTimeout(10_000)"],
    ["server/src/commands/start.ts", "export const clock = { now: () => new Date() }"],
  ])("allows %s with %s", async (path, text) => {
    expect(await faultsOf({ [`packages/${path}`]: text })).toEqual([])
  })
})

describe("comments", () => {
  test.each([
    ["// parse.ts checks it", ["packages/core/src/a.ts: a comment names parse.ts, which no package has"]],
    ["/** See `sync/parse.ts`. */", ["packages/core/src/a.ts: a comment names parse.ts, which no package has"]],
    ["/** See `sync/b.ts`. */", []],
    ['export const file = "parse.ts"', []],
  ])("%s", async (text, faults) => {
    expect(await faultsOf({ "packages/core/src/a.ts": text, "packages/core/src/sync/b.ts": "" })).toEqual(faults)
  })
})

describe("two comments in a row", () => {
  const LOST = "another comment follows, so this one describes nothing"

  test.each([
    [
      "packages/core/src/a.ts",
      "/** A phone. */\n/** A link. */\nexport type Link = 1",
      [`packages/core/src/a.ts:1: ${LOST}`],
    ],
    ["test/a.test.ts", "{\n  /**\n   * A.\n   */\n  /** B. */\n}", [`test/a.test.ts:4: ${LOST}`]],
    ["packages/core/src/a.ts", "/** The file. */\n\n/** A link. */\nexport type Link = 1", []],
  ])("%s: %s", async (path, text, faults) => {
    expect(await faultsOf({ [path]: text })).toEqual(faults)
  })
})

describe("direct queries", () => {
  test.each([
    ["server/src/http/a.ts", 'import type { Pool } from "pg"', "imports pg"],
    ["server/src/http/a.ts", 'pool.query("select 1")', "queries the database directly"],
    ["server/src/service.ts", 'pool.query("select 1")', "queries the database directly"],
    ["server/src/commands/a.ts", 'pool.query("select 1")', "queries the database directly"],
    ["server/src/a.ts", 'import { sql } from "kysely"', "imports kysely"],
    ["providers/src/a.ts", 'import { Pool } from "pg"', "imports pg"],
  ])("reports %s with %s", async (path, text, fault) => {
    expect(await faultsOf({ [`packages/${path}`]: text })).toEqual([expect.stringContaining(fault)])
  })

  test.each([
    ["server/src/postgres/a.ts", 'import { Client } from "pg"\nclient.query("select 1")'],
    ["server/src/service.ts", 'import type { Pool } from "pg"'],
    ["core/src/sync/a.ts", 'import { sql } from "kysely"'],
  ])("allows %s with %s", async (path, text) => {
    expect(await faultsOf({ [`packages/${path}`]: text })).toEqual([])
  })
})

describe("names of vendors", () => {
  test.each([
    ["core/src/a.ts", 'export const isRing = source === "oura"', "oura"],
    ["core/src/a.ts", "export const TITLES = { polar: title }", "polar"],
    ["server/src/commands/a.ts", "await startGoogleHealthSimulator()", "Google Health"],
    ["server/src/a.ts", 'export const KINDS = ["garmin_archive"]', "garmin"],
    ["server/src/a.ts", 'export const settings = ["WHOOP_CLIENT_ID"]', "WHOOP"],
    ["dashboard/src/a.tsx", "export const Title = () => <p>Your Fitbit</p>", "Fitbit"],
    ["dashboard/src/a.ts", 'export const way = "intervals"', '"intervals"'],
    ["dashboard/src/a.ts", 'export const text = "through intervals.icu"', "intervals.icu"],
  ])("reports %s with %s", async (path, text, name) => {
    expect(await faultsOf({ [`packages/${path}`]: text })).toEqual([
      expect.stringContaining(`packages/${path}: names ${name}, declare`),
    ])
  })

  test.each([
    ["providers/src/a.ts", 'export const name = "polar"'],
    ["server/src/openapi/a.ts", 'export const example = { provider: "whoop" }'],
    ["core/src/a.ts", "// As WHOOP does."],
    ["core/src/a.ts", "/**\n * As WHOOP does.\n */\nexport const a = 1 // Oura too"],
    ["core/src/a.ts", "export const intervals = [polarity, courage]"],
  ])("allows %s with %s", async (path, text) => {
    expect(await faultsOf({ [`packages/${path}`]: text })).toEqual([])
  })
})

describe("import cycles", () => {
  test.each([
    ["values", 'import { a } from "./a.ts"'],
    ["types", 'import type { A } from "./a.ts"'],
    ["re-exports", 'export * from "./a.ts"'],
    ["dynamic imports", 'export const load = () => import("./a.ts")'],
  ])("reports two files that import each other, with %s", async (_, backwards) => {
    const faults = await faultsOf({
      "packages/core/src/a.ts": 'import { b } from "./b.ts"',
      "packages/core/src/b.ts": backwards,
    })
    expect(faults).toEqual([expect.stringContaining("files import each other in a cycle")])
  })

  test("reports two folders that import each other through different files", async () => {
    const faults = await faultsOf({
      "packages/server/src/sync/a.ts": 'import { b } from "../webhook/b.ts"',
      "packages/server/src/webhook/b.ts": "export const b = 1",
      "packages/server/src/webhook/c.ts": 'import type { D } from "../sync/d.ts"',
      "packages/server/src/sync/d.ts": "export type D = 1",
    })
    expect(faults).toEqual([
      "packages/server/src/sync: folders import each other in a cycle: " +
        "packages/server/src/sync/a.ts imports packages/server/src/webhook/b.ts, " +
        "packages/server/src/webhook/c.ts imports packages/server/src/sync/d.ts",
    ])
  })

  test("reports a folder that imports from the root of its package", async () => {
    const faults = await faultsOf({
      "packages/core/src/index.ts": 'export * from "./sync/a.ts"',
      "packages/core/src/sync/a.ts": 'import type { Context } from "../context.ts"',
      "packages/core/src/context.ts": "export type Context = 1",
    })
    expect(faults).toEqual([expect.stringContaining("folders import each other in a cycle")])
  })

  test("allows imports that run one way", async () => {
    const faults = await faultsOf({
      "packages/core/src/index.ts": 'export * from "./sync/a.ts"',
      "packages/core/src/sync/a.ts": 'import type { Context } from "../context/context.ts"\nimport "./b.ts"',
      "packages/core/src/sync/b.ts": 'import type { Context } from "../context/context.ts"',
      "packages/core/src/context/context.ts": "export type Context = 1",
    })
    expect(faults).toEqual([])
  })
})

describe("words", () => {
  test.each([
    ["packages/core/src/a.ts", "// DESIGN section 4"],
    ["packages/client/src/a.ts", "/** A night. Spec 2.2 */"],
    ["docs/a.md", "as reference/merging.md says"],
  ])("reports %s, which names a document that readers do not have", async (path, text) => {
    expect(await faultsOf({ [path]: text })).toEqual([expect.stringContaining("readers do not have")])
  })
})

describe("sizes", () => {
  const statements = (count: number): string => "run()\n".repeat(count)

  /** Returns the rules on size that a file breaks, by the repository's own configuration of Biome. */
  async function brokenRules(path: string, text: string): Promise<string[]> {
    await plant({ [path]: text })
    await copyFile(join(REPOSITORY, "biome.json"), join(root, "biome.json"))
    const args = ["lint", "--vcs-enabled=false", "--reporter=json", path]
    const { stdout } = spawnSync(join(REPOSITORY, "node_modules/.bin/biome"), args, { cwd: root, encoding: "utf8" })
    return [...new Set(stdout.match(/noExcessiveLinesPer\w+/g))]
  }

  const PATHS = [
    "packages/core/src/a.ts",
    "packages/dashboard/src/a.tsx",
    "test/a.test.ts",
    "bench/a.ts",
    "scripts/a.ts",
  ]

  test.each(PATHS)("reports a function of more than 80 lines in %s", async (path) => {
    const text = `export function long() {\n${statements(81)}}`
    expect(await brokenRules(path, text)).toEqual(["noExcessiveLinesPerFunction"])
  })

  test.each(PATHS)("reports a file of more than 400 lines in %s", async (path) => {
    expect(await brokenRules(path, statements(401))).toEqual(["noExcessiveLinesPerFile"])
  })

  test("reports a test of more than 80 lines", async () => {
    const text = `test("long", () => {\n${statements(81)}})`
    expect(await brokenRules("test/a.test.ts", text)).toEqual(["noExcessiveLinesPerFunction"])
  })

  test("allows functions of 80 lines in a file of 250", async () => {
    const text = `test("short", () => {\n${statements(78)}})\n${statements(170)}`
    expect(await brokenRules("test/a.test.ts", text)).toEqual([])
  })
})
