import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdtemp, open, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { text as readAll } from "node:stream/consumers"
import { expect, test } from "vitest"
import { createLogger } from "./logger.ts"

/** What a logger writes, as text. */
function written(log: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  log(createLogger("debug", sink))
  return lines.join("")
}

test("logs an error with its causes, without properties that a library attached", () => {
  const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED" })
  const error = Object.assign(new Error("no database", { cause }), {
    client: { password: "a canary" },
    detail: "row (62, 71)",
  })
  const text = written((logger) => logger.error({ err: error }, "failed"))
  expect(JSON.parse(text)).toMatchObject({
    err: { message: "no database", cause: { code: "ECONNREFUSED" } },
    msg: "failed",
  })
  expect(text).not.toMatch(/canary|row \(/)
})

test.each(["authorization", "cookie", "password", "refreshToken", "api_key"])(
  "redacts %s at any depth we log at",
  (name) => {
    const text = written((logger) =>
      logger.info({ [name]: "a canary", a: { [name]: "a canary", b: { [name]: "a canary" } } }, "x"),
    )
    expect(text).toContain("[redacted]")
    expect(text).not.toContain("canary")
  },
)

const LOGGER = new URL("logger.ts", import.meta.url).href

/** Runs code with a logger in a process whose standard output is this file. Returns its exit code and what it wrote to standard error. */
async function loggingTo(
  path: string,
  code: string,
  make = 'createLogger("info")',
): Promise<{ readonly code: unknown; readonly errors: string }> {
  await using output = await open(path, "a")
  const program = `import { createFileLogger, createLogger } from ${JSON.stringify(LOGGER)}; const logger = ${make}; ${code}`
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", output.fd, "pipe"],
    timeout: 20_000,
  })
  const [errors, [exitCode]] = await Promise.all([readAll(child.stderr ?? Readable.from([])), once(child, "exit")])
  return { code: exitCode, errors }
}

test.skipIf(!existsSync("/dev/full")).each([
  ["standard output", "/dev/full", undefined],
  ["the file of a start in a terminal", "/dev/null", 'createFileLogger("info", "/dev/full", () => {})'],
])("a full disk below %s neither ends the process nor stops it", async (_, output, make) => {
  const code = `
    for (let count = 0; count < 50_000; count += 1) logger.info({ count }, "a line")
    logger.warn({}, "a warning")
    setTimeout(() => process.stderr.write("goes on"), 500)`
  expect(await loggingTo(output, code, make)).toEqual({ code: 0, errors: "goes on" })
})

test("a warning is in the file at once, and all lines are at the end", async () => {
  const folder = await mkdtemp(join(tmpdir(), "restwell-log-"))
  const file = join(folder, "log")
  const code = `
    import { readFileSync } from "node:fs"
    for (let count = 0; count < 500; count += 1) logger.info({ count }, "a line")
    logger.warn({}, "a warning")
    process.stderr.write(String(readFileSync(${JSON.stringify(file)}, "utf8").includes("a warning")))
    logger.info({}, "the last line")`
  expect(await loggingTo(file, code)).toEqual({ code: 0, errors: "true" })
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n")
  expect(lines).toHaveLength(502)
  expect(lines.at(-1)).toContain("the last line")
  await rm(folder, { recursive: true })
})
