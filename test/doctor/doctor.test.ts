import { createHash } from "node:crypto"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { createServer as createHttpServer } from "node:http"
import { createServer } from "node:net"
import { join } from "node:path"
import type { CheckResult } from "@restwell/server/doctor"
import { runCommand } from "@restwell/testing/service"
import { expect, test } from "vitest"
import {
  examine,
  expectFault,
  faultsOf,
  folder,
  healthy,
  listening,
  proxy,
  service,
  useInstallation,
} from "./installation.ts"

useInstallation()

test("a healthy installation has no fault, and every check says what it found", async () => {
  const results = await examine()
  expect(faultsOf(results)).toEqual([])
  expect(results.filter(({ status }) => status === "skipped")).toEqual([])
})

test.each<[string, Record<string, string>, RegExp]>([
  [
    "a misspelled setting",
    { WHOOP_CLIENT_ID: "", WHOOP_CLIENT_IDD: "simulator-client" },
    /^settings: WHOOP_CLIENT_IDD is not a setting, did you mean WHOOP_CLIENT_ID: rename/,
  ],
  ["an impossible value", { METRICS_PORT: "http" }, /^settings: METRICS_PORT must be a whole number/],
  ["half of an app's credentials", { WHOOP_CLIENT_SECRET: "" }, /^settings: WHOOP_CLIENT_SECRET is required/],
  ["a proxy that is anybody", { TRUST_PROXY: "true" }, /^settings: TRUST_PROXY=true lets anybody/],
  ["a secret that is too short", { RESTWELL_SECRET: "short" }, /^settings: RESTWELL_SECRET must be at least 32/],
  [
    "a wrong secret",
    { RESTWELL_SECRET: "w".repeat(40) },
    /^stored secrets: the secret is not the one of this database.*: restore the secret/,
  ],
  [
    "no database at the address",
    { DATABASE_URL: "postgres://someone@127.0.0.1:1/restwell" },
    /^database: cannot use the database.*nothing listens there: start PostgreSQL/,
  ],
  [
    "wrong credentials of an app",
    { WHOOP_CLIENT_SECRET: "wrong" },
    /^vendor: WHOOP refuses the app.*: correct WHOOP_CLIENT_ID/,
  ],
  ["a vendor that does not answer", { WHOOP_BASE_URL: "http://127.0.0.1:4" }, /^vendor: WHOOP does not answer/],
  [
    "a mail server that does not answer",
    { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "a@b.example" },
    /^email: the mail server .* does not answer/,
  ],
  [
    "a folder of backups that is a file",
    { BACKUP_DIR: "/etc/hostname" },
    /^backup: there is a file in place of BACKUP_DIR/,
  ],
  [
    "a public address without https",
    { BASE_URL: "http://restwell.example.com", TRUST_PROXY: "" },
    /^public address: .* without https/,
  ],
  [
    "a name that nobody knows",
    { BASE_URL: "https://no-such-host.invalid" },
    /^public address: .*its name (?:is not known|cannot be looked up)/,
  ],
])("%s is one fault", async (_what, environment, text) => {
  if ("BASE_URL" in environment) proxy.target = service.url
  await expectFault(text, environment)
})

test("with mistakes in the settings, each is a fault and nothing else is checked", async () => {
  const results = await examine({ METRICS_PORT: "http", PORT: "x", WHOOP_CLIENT_SECRET: "wrong" })
  expect(results.map(({ check, status, message }) => `${check} ${status}: ${message}`)).toEqual([
    expect.stringMatching(/^settings failed: PORT must be a whole number/),
    expect.stringMatching(/^settings failed: METRICS_PORT must be a whole number/),
  ])
})

test("a file in the place of DATA_DIR", async () => {
  const file = join(folder, "file")
  await writeFile(file, "")
  await expectFault(/^data folder: DATA_DIR cannot be used .*: there is a file of that name/, { DATA_DIR: file })
})

test("another program on the port", async () => {
  const web = await listening(createHttpServer((_request, response) => void response.end("hello")))
  await expectFault(/^port: cannot listen on localhost port .*: another program uses the port/, { PORT: String(web) })
})

test("BASE_URL that leads nowhere, to another program, to a redirect, or to a proxy without its service", async () => {
  await expectFault(/^public address: .*nothing listens there: start the proxy/, { BASE_URL: "http://127.0.0.1:4" })
  const other = createHttpServer((_request, response) => void response.end("hello"))
  const url = `http://127.0.0.1:${await listening(other)}`
  await expectFault(/^public address: .* leads to another program/, { BASE_URL: url })
  const moved = createHttpServer(
    (_request, response) => void response.writeHead(301, { location: "https://elsewhere.example/" }).end(),
  )
  await expectFault(/^public address: .* redirects to https:\/\/elsewhere/, {
    BASE_URL: `http://127.0.0.1:${await listening(moved)}`,
  })
  proxy.target = "http://127.0.0.1:1"
  await expectFault(/^public address: the proxy at .* answers 502/)
})

test("a program that is no PostgreSQL", async () => {
  const port = await listening(createServer((socket) => void socket.end("hello\n")))
  await expectFault(/^database: cannot use the database.*it is not a PostgreSQL/, {
    DATABASE_URL: `postgres://someone@127.0.0.1:${port}/restwell`,
  })
})

test("the command prints a line for each check, exits with 1 if one failed, and changes no file", async () => {
  const good = await runCommand(["doctor"], healthy)
  expect(good).toMatchObject({ code: 0, errors: "" })
  expect(good.output).toMatch(/^ok +settings +every setting[\s\S]*\nnothing is wrong\n$/)
  const fingerprint = async () =>
    createHash("sha256")
      .update((await readdir(folder, { recursive: true })).toSorted().join())
      .digest("hex")
  const before = await fingerprint()
  const bad = await runCommand(["doctor", "--json"], {
    ...healthy,
    WHOOP_CLIENT_SECRET: "wrong",
    TRUST_PROXY: "true",
    DATABASE_URL: "postgres://a@127.0.0.1:1/b",
  })
  expect(bad.code).toBe(1)
  const { ok, checks } = JSON.parse(bad.output)
  expect(ok).toBe(false)
  expect(
    checks.filter(({ status }: CheckResult) => status === "failed").map(({ check }: CheckResult) => check),
  ).toEqual(["settings", "database", "vendor"])
  expect(await fingerprint()).toBe(before)
  expect(await readFile(new URL("../../docs/operations.md", import.meta.url), "utf8")).toContain("restwell doctor")
})
