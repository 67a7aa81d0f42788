/** Every block of every document works, commands within a sentence exist, and recipes that people tap together work. */
import { glob, readFile } from "node:fs/promises"
import { join } from "node:path"
import { PAGES, REFERENCE } from "@restwell/manual/site"
import { runCommand } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import manifest from "../../package.json" with { type: "json" }
import { type Fence, readFences } from "./read-fences.ts"
import { checkFence } from "./snippets/check-fence.ts"
import { REPOSITORY, type RunningService, startRunningService } from "./snippets/running-service.ts"

const read = (path: string): Promise<string> => readFile(join(REPOSITORY, path), "utf8")

// The reference is made of examples that other tests compare with the schemas.
const documents = new Set(PAGES.filter((page) => !REFERENCE.pages.includes(page)).map(({ source }) => source))
for await (const path of glob(["README.md", "docs/**/*.md", "packages/*/README.md"], { cwd: REPOSITORY }))
  documents.add(path)
const fences = (await Promise.all([...documents].sort().map(readFences))).flat()

let service: RunningService
beforeAll(async () => {
  service = await startRunningService()
})
afterAll(() => service.close())

test("the documents have blocks", () => expect(fences.length).toBeGreaterThan(40))

test.each(fences)("$document:$line works as it is written", (fence) => checkFence(fence, service))

const block = (language: string, text: string): Fence => ({ document: "broken.md", line: 1, language, text })

describe("a broken block fails:", () => {
  test.each([
    [
      "an unknown type",
      block("sh", 'curl -H "Authorization: Bearer $KEY" "http://localhost:3000/api/v1/health?type=sleeps"'),
    ],
    [
      "another address",
      block("sh", 'curl -H "Authorization: Bearer $KEY" "http://localhost:3000/api/v2/health?type=sleep"'),
    ],
    ["a request without a key", block("sh", 'curl "http://localhost:3000/api/v1/health?type=sleep"')],
    ["an unknown command", block("sh", "node_modules/.bin/restwell becomes-well")],
    ["a command that nothing verifies", block("sh", "rm -r data")],
    ["an open quotation mark", block("sh", 'npm run "build')],
    ["a missing script", block("sh", "npm run built")],
    ["another version of the package", block("sh", "npm install ./restwell-0.0.9.tgz")],
    [
      "another address of the connector",
      block("sh", "claude mcp add --transport http restwell http://localhost:3000/mcp"),
    ],
    [
      "a field that no record has",
      block("ts", "const { data } = await restwell.sleep()\nconsole.log(data.records[0]?.hours_asleep)"),
    ],
    ["a program that throws", block("ts", "await restwell.sleep({ days: 900 })")],
    ["an unknown language", block("cobol", "DISPLAY 'REST WELL'.")],
  ])("%s", async (_, broken) => {
    await expect(checkFence(broken, service)).rejects.toThrow()
  })

  test.each([
    ["recipes.md", "yaml", "rest:", "records[0].score }}", "records[0].recovery }}"],
    ["recipes.md", "yaml", "datasources:", "type=recovery", "type=recoveries"],
    ["recipes.md", "js", "UrlFetchApp", "asleep_hours", "hours"],
    ["recipes.md", "json", "n8n", "/api/v1/", "/api/"],
    ["recipes.md", "text", "crontab", "8 * * * curl", "8 * * curl"],
    ["insights.md", "json", "verdict", '"latest"', '"last"'],
    ["recipes.md", "python", "urlopen", '"asleep_hours"', '"hours"'],
    ["recipes.md", "ts", "recovery", "day.score", "day.value"],
    ["assistants.md", "json", "servers", "/api/mcp/oauth", "/mcp"],
  ])("%s %s %s with %s replaced by %s", async (page, language, has, right, wrong) => {
    const ofLanguage = fences.filter(
      (fence) => fence.document.endsWith(page) && (fence.language || "text") === language,
    )
    const whole =
      ofLanguage.find(({ text }) => text.includes(has) && text.includes(right)) ??
      ofLanguage.find(({ text }) => text.includes(right))
    if (!whole) throw new Error("the page no longer has this text")
    await expect(checkFence({ ...whole, text: whole.text.replaceAll(right, wrong) }, service)).rejects.toThrow()
  })
})

test("every command and script that a page names exists", async () => {
  const { output } = await runCommand(["--help"], {})
  const commands = new Set([...output.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name))
  const unknown: string[] = []
  let found = 0
  for (const { source } of PAGES)
    for (const [whole, command, script] of (await read(source)).matchAll(
      /`(?:npx |node_modules\/\.bin\/)?(?:restwell ([a-z][a-z-]*)|npm run ([\w:-]+))[^`]*`/g,
    )) {
      found += 1
      if (command !== undefined && !commands.has(command)) unknown.push(`${source}: ${whole}`)
      if (script !== undefined && !(script in manifest.scripts)) unknown.push(`${source}: ${whole}`)
    }
  expect(unknown).toEqual([])
  expect(found).toBeGreaterThan(40)
})

test("docs/operations.md has every command in its table", async () => {
  const { output } = await runCommand(["--help"], {})
  const commands = [...output.matchAll(/^ {2}([a-z-]+(?: [a-z-]+)?) {2,}/gm)].map(([, name = ""]) => name)
  const table = await read("docs/operations.md")
  expect(commands.length).toBeGreaterThan(10)
  expect(commands.filter((name) => !table.includes(`| \`restwell ${name}`))).toEqual([])
})

test("docs/api.md says which headers and methods pages of other sites may use", async () => {
  const section = (await read("docs/api.md")).split("## From a web page")[1] ?? ""
  const rows = [...section.matchAll(/^\| (`\/.+) \| ([A-Z, ]+) \| (.+) \|$/gm)]
  expect(rows).toHaveLength(3)
  for (const [, paths = "", methods = "", headers = ""] of rows)
    for (const [, path = ""] of paths.matchAll(/`([^`]+)`/g)) {
      const address = path.replace("/...", path.startsWith("/api") ? "/health" : "/oauth-authorization-server")
      const preflight = await fetch(service.url + address, {
        method: "OPTIONS",
        headers: { origin: "https://elsewhere.example", "access-control-request-method": methods.split(",")[0] ?? "" },
      })
      expect(preflight.headers.get("access-control-allow-methods"), path).toBe(methods)
      const allowed = (preflight.headers.get("access-control-allow-headers") ?? "").split(", ")
      expect([...headers.matchAll(/`([^`]+)`/g)].map(([, name]) => name).sort(), path).toEqual(allowed.sort())
    }
  const answer = await fetch(`${service.url}/api/v1/health`)
  expect(answer.headers.get("access-control-allow-origin")).toBe("*")
  for (const name of (answer.headers.get("access-control-expose-headers") ?? "").split(", "))
    expect(section).toContain(`\`${name}\``)
  const connector = await fetch(`${service.url}/api/mcp/oauth`, {
    method: "POST",
    headers: { origin: "https://elsewhere.example" },
  })
  expect(connector.status).toBe(403)
})

async function recipe(title: string): Promise<string> {
  const section = (await read("docs/recipes.md")).split(/^## /m).find((each) => each.startsWith(`${title}\n`))
  if (section === undefined) throw new Error(`the page has no recipe for ${title}`)
  return service.fill(section)
}

test.each([
  ["iOS Shortcuts", /the key `Authorization` with the value `(.+)`/, /the key `records\.1\.(\w+)`/],
  ["Tasker", /Headers to `Authorization:(.+)`/, /`%http_data\.records\.(\w+)`/],
  ["Grafana", /bearerToken: "(.+)"/, /the columns `date` and `(\w+)`/],
] as const)(
  "the recipe for %s has a request that works, and names a figure of its answer",
  async (title, value, field) => {
    const text = await recipe(title)
    const address = /http:\/\/localhost[^`"\s]+/.exec(text)?.[0] ?? ""
    const given = value.exec(text)?.[1] ?? ""
    const { records } = await service.readRecords(address, {
      authorization: given.startsWith("Bearer ") ? given : `Bearer ${given}`,
    })
    expect(records[0]?.[field.exec(text)?.[1] ?? ""]).toBeTypeOf("number")
  },
)
