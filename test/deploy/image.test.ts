import { execFile } from "node:child_process"
import { glob, readFile } from "node:fs/promises"
import { promisify } from "node:util"
import { loadConfig } from "@restwell/server/config"
import { reservePort } from "@restwell/testing/port"
import { startTestService } from "@restwell/testing/service"
import { expect, test } from "vitest"
import { z } from "zod"
import { DEPLOY } from "./documents.ts"

const run = promisify(execFile)
const CommandSchema = z.array(z.string())
const text = (await readFile(`${DEPLOY}Dockerfile`, "utf8")).replaceAll(/\\\n\s*/g, "")

/** The JSON command of an instruction. */
const commandOf = (instruction: RegExp): string[] =>
  CommandSchema.parse(JSON.parse(new RegExp(`^${instruction.source}(\\[.*\\])$`, "m").exec(text)?.[1] ?? "null"))

test("the image is made of the package alone", () => {
  expect(text).toContain("COPY dist/restwell-[0-9]*.tgz ./\n")
  expect(text.match(/npm (?:ci|i|install)\b.*?\.tgz/g)).toEqual([
    "npm install --ignore-scripts --no-audit --no-fund ./restwell-[0-9]*.tgz",
  ])
})

test("the image runs the service with the Node.js of the package, as an unprivileged user", () => {
  expect([...commandOf(/ENTRYPOINT /), ...commandOf(/CMD /)]).toEqual(["restwell", "start"])
  expect(text).toMatch(/^ENV .*\bPATH=\/app\/node_modules\/\.bin:\$PATH\b/m)
  const [, user] = /^USER ([1-9]\d*):\1$/m.exec(text) ?? []
  // PostgreSQL refuses a user without a name.
  expect(text).toContain(`useradd --uid ${user} `)
  expect(text).toMatch(/^VOLUME \/data$/m)
})

test("the service accepts the settings of the image", () => {
  const [, line = ""] = /^ENV (.*)$/m.exec(text) ?? []
  const settings = Object.fromEntries(line.split(" ").map((pair) => pair.split("=")))
  expect(loadConfig(settings)).toMatchObject({ host: "0.0.0.0", port: 3000, dataDir: "/data" })
})

test("the health check succeeds while the service runs, and fails otherwise", async () => {
  const [node, ...script] = commandOf(/HEALTHCHECK.*?CMD /)
  expect(node).toBe("node")
  const check = (port: string) =>
    run(process.execPath, script, { env: { PORT: port } }).then(
      () => "healthy",
      ({ code }) => code,
    )
  const service = await startTestService({ role: "worker" })
  expect(await check(new URL(service.url).port)).toBe("healthy")
  await service.close()
  using unused = reservePort()
  expect(await check(String(unused.port))).toBe(1)
})

test("the scripts of the standby are valid bash", async () => {
  for await (const script of glob("postgres/*.sh", { cwd: DEPLOY })) await run("bash", ["-n", DEPLOY + script])
})
