import { existsSync } from "node:fs"
import { glob, readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { RecoveryRecordSchema } from "@restwell/client"
import { describe, expect, test } from "vitest"
import { z } from "zod"

const REPOSITORY = join(import.meta.dirname, "..")
const DOCUMENTS = ["*.md", "docs/**/*.md", "packages/*/README.md", "deploy/README.md"]

const documents: string[] = []
for await (const path of glob(DOCUMENTS, { cwd: REPOSITORY })) documents.push(path)

const read = (path: string): Promise<string> => readFile(join(REPOSITORY, path), "utf8")
const linesOf = async (path: string): Promise<string[]> => (await read(path)).trimEnd().split("\n")

/** The targets of links and pictures: inline, by reference, and in HTML. */
const LINK = /\]\(([^)\s]+)[^)]*\)|^\[[^\]]+\]:\s*(\S+)|\b(?:src|href)="([^"]+)"/gm

/** The anchor that GitHub makes of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-")

const anchorsOf = async (path: string): Promise<string[]> =>
  [...(await read(path)).matchAll(/^#+\s+(.+)$/gm)].map(([, heading = ""]) => anchorOf(heading))

/** Returns the links of a text to files or headings that do not exist. */
async function deadLinks(path: string, text: string): Promise<string[]> {
  const dead: string[] = []
  for (const [, inline, reference, html] of text.matchAll(LINK)) {
    const link = inline ?? reference ?? html ?? ""
    // test/manual follows addresses of the running service, such as `/docs/reference`.
    if (/^(?:[a-z]+:|\/)/.test(link)) continue
    const [file = "", anchor] = link.split("#")
    const target = file === "" ? path : join(dirname(path), file)
    const exists = existsSync(join(REPOSITORY, target))
    const isReached = exists && (anchor === undefined || (await anchorsOf(target)).includes(anchor))
    if (!isReached) dead.push(link)
  }
  return dead
}

/** Returns the links of a text to other sites that are not https, or whose host is a name of one machine or network. */
const malformedLinks = (text: string): string[] =>
  [...text.matchAll(LINK)]
    .map(([, inline, reference, html]) => inline ?? reference ?? html ?? "")
    .filter((link) => /^[a-z]+:/.test(link) && !link.startsWith("mailto:"))
    .filter((link) => !/^https:\/\/(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:[/?#]|$)/.test(link))

describe("links", () => {
  test.each(documents)("every relative link of %s has a target", async (path) => {
    expect(await deadLinks(path, await read(path))).toEqual([])
  })

  test.each(documents)("every external link of %s is https and names a host of the internet", async (path) => {
    expect(malformedLinks(await read(path))).toEqual([])
  })

  test("finds external links that lead nowhere", () => {
    const text = "[a](http://a.example) [b](https://localhost:3000/x) [c](https://intranet) [d](https://a.example/#x)"
    expect(malformedLinks(text)).toEqual(["http://a.example", "https://localhost:3000/x", "https://intranet"])
  })

  test("finds links to missing files and headings", async () => {
    const text = '[a](missing.md) [b](README.md#missing) [c](README.md#tests) <img src="no.png">\n[d]: none.md'
    expect(await deadLinks("README.md", text)).toEqual(["missing.md", "README.md#missing", "no.png", "none.md"])
  })
})

test.each(documents)("%s has lines of at most 140 characters outside blocks and tables", async (path) => {
  const prose = (await read(path)).replaceAll(/^ *(`{3,}).*?^ *\1 *$/gms, "").split("\n")
  expect(prose.filter((line) => line.length > 140 && !line.startsWith("|"))).toEqual([])
})

describe("docs/troubleshooting.md", () => {
  const sources = glob("packages/{server,postgres,core,providers,dashboard}/src/**/*.{ts,tsx}", { cwd: REPOSITORY })

  /** The texts of the programs as they are printed: without comments, and with joined strings. */
  async function printedTexts(): Promise<string> {
    const paths = (await Array.fromAsync(sources)).filter((path) => !path.includes(".test."))
    const texts = (await Promise.all(paths.map(read))).map((text) =>
      text
        .replaceAll(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, "")
        .replaceAll(/["'`]\s*\+\s*["'`]/g, "")
        .replaceAll(/\s+/g, " "),
    )
    return texts.join("\n")
  }

  test("has at least 25 entries whose heading is a message, and each is still one of the page or the programs", async () => {
    const messages = [...(await read("docs/troubleshooting.md")).matchAll(/^### "(.+)"$/gm)].map(
      ([, text = ""]) => text,
    )
    expect(messages.length).toBeGreaterThanOrEqual(25)
    const printed = await printedTexts()
    const parts = messages.flatMap((message) => message.split("...").map((part) => part.trim()))
    const long = parts.filter((part) => part.length >= SHORTEST_PART)
    expect(messages.filter((message) => !long.some((part) => message.includes(part)))).toEqual([])
    const isPrinted = (part: string) => printed.includes(part) || printed.includes(withSmallInitial(part))
    expect(long.filter((part) => !isPrinted(part))).toEqual([])
  })

  /** The page begins a message of the API with a capital letter. */
  const withSmallInitial = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
  /** Shorter parts, such as "port", are found anywhere. */
  const SHORTEST_PART = 8
})

test("the record in docs/webhooks.md has every field of a record", async () => {
  const [, event = ""] = /^```json\n(.*?)^```$/ms.exec(await read("docs/webhooks.md")) ?? []
  const { record } = z.object({ data: z.object({ record: z.unknown() }) }).parse(JSON.parse(event)).data
  expect(RecoveryRecordSchema.parse(record)).toEqual(record)
})

test("every decision has the number of its file in its title", async () => {
  for (const path of documents.filter((each) => each.startsWith("docs/decisions/"))) {
    const [, number = ""] = /(\d+)-[^/]+$/.exec(path) ?? []
    expect((await linesOf(path))[0]).toMatch(new RegExp(`^# ${number} \\p{L}`, "u"))
  }
})

test("every package has a README", async () => {
  for await (const path of glob("packages/*/package.json", { cwd: REPOSITORY }))
    expect(documents).toContain(join(dirname(path), "README.md"))
})

test("README has at most 900 words, and lines of at most 140 characters", async () => {
  expect((await read("README.md")).trim().split(/\s+/).length).toBeLessThanOrEqual(900)
  expect((await linesOf("README.md")).filter((line) => line.length > 140)).toEqual([])
})

test("ARCHITECTURE has at most 150 lines of at most 100 characters", async () => {
  const lines = await linesOf("ARCHITECTURE.md")
  expect(lines.length).toBeLessThanOrEqual(150)
  expect(lines.filter((line) => line.length > 100)).toEqual([])
})

test("ARCHITECTURE names only files and folders that exist", async () => {
  const packages = await Array.fromAsync(glob("packages/*", { cwd: REPOSITORY }))
  const tops = [...packages.map((path) => path.slice("packages/".length)), "packages", "test", "scripts", "docs"]
  const named = [...(await read("ARCHITECTURE.md")).matchAll(/`([\w.-]+\/[\w./-]+)`/g)].map(([, path = ""]) => path)
  const paths = named.filter((path) => tops.includes(path.split("/")[0] ?? ""))
  const exists = (path: string): boolean => ["", "packages"].some((top) => existsSync(join(REPOSITORY, top, path)))
  expect(paths.length).toBeGreaterThan(20)
  expect(paths.filter((path) => !exists(path))).toEqual([])
})

const NamesSchema = z.record(z.string(), z.string()).default({})
const PackageSchema = z.object({
  dependencies: NamesSchema,
  devDependencies: NamesSchema,
  optionalDependencies: NamesSchema,
})

test("docs/dependencies.md lists every dependency", async () => {
  const text = await read("docs/dependencies.md")
  const listed = new Set([...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name))
  for await (const path of glob(["package.json", "packages/*/package.json"], { cwd: REPOSITORY })) {
    const { dependencies, devDependencies, optionalDependencies } = PackageSchema.parse(JSON.parse(await read(path)))
    const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
    expect(
      names.filter((name) => !name.startsWith("@restwell/") && !listed.has(name)),
      path,
    ).toEqual([])
  }
})
