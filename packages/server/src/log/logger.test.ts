import { Writable } from "node:stream"
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
