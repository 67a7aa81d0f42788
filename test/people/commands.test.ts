import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { makeFolder } from "@restwell/testing/database"
import { Member } from "@restwell/testing/member"
import { runCommand, serviceEnvironment, startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"

let service: TestService
let lena: Member
let environment: Readonly<Record<string, string>>
beforeAll(async () => {
  service = await startTestService({ days: 3, environment: { SIGN_UP: "closed" } })
  environment = { ...serviceEnvironment(service.store, service.simulator), BASE_URL: service.url }
  const person = service.simulator.people.add({ email: "lena@vendor.example" })
  lena = new Member(service)
  await lena.setUp()
  await lena.connect(person)
  await lena.untilHistoryIsComplete()
})
afterAll(() => service.close())

const run = (...commandLine: string[]) => runCommand(commandLine, environment)

const tokenIn = (output: string, page: string): string =>
  new RegExp(`^${service.url}/${page}#([\\w-]{43})$`, "m").exec(output)?.[1] ?? output

test("reset-password prints a link that sets a new password", async () => {
  const { code, output } = await run("reset-password", lena.email.toUpperCase())
  expect([code, output]).toEqual([0, expect.stringContaining("It works once, until ")])
  const body = { token: tokenIn(output, "reset"), newPassword: "staple battery horse correct" }
  expect((await lena.send("POST", "/api/auth/reset-password", body)).status).toBe(200)
})

test("reset-password can remove sign-in codes", async () => {
  const { output } = await run("reset-password", lena.email, "--remove-two-factor", "--json")
  const { link, removes_two_factor } = JSON.parse(output)
  expect(removes_two_factor).toBe(true)
  const read = await lena.send("POST", "/api/auth/reset-link", { token: tokenIn(link, "reset") })
  expect(await read.json()).toEqual({ email: lena.email, removes_two_factor: true })
})

test("people lists the accounts", async () => {
  const table = await run("people")
  expect(table.code).toBe(0)
  expect(table.output).toMatch(
    new RegExp(
      `^EMAIL +CREATED +PLAN +ROLE +LAST READ +VENDORS\n${lena.email} +[\\d-]{10} +pro +owner +never +whoop \\(ok\\)\n`,
    ),
  )
  const [listed] = JSON.parse((await run("people", "--json")).output)
  expect(listed).toMatchObject({
    email: lena.email,
    is_owner: true,
    plan: "pro",
    connections: [{ provider: "whoop", status: "ok" }],
    last_read_at: null,
  })
})

test("people invite prints a link, which works where sign-ups are closed", async () => {
  const mia = new Member(service)
  const { code, output } = await run("people", "invite", mia.email, "--plan", "pro")
  expect(code).toBe(0)
  const { email, password } = mia
  const body = { name: "Mia", email, password, invitation: tokenIn(output, "invite") }
  expect((await mia.send("POST", "/api/auth/sign-up/email", body)).status).toBe(200)
  expect((await run("people", "set-plan", mia.email, "free")).output).toBe(
    `${mia.email} has the plan free: 1000 requests a month\n`,
  )
  expect(await (await mia.send("GET", "/api/account")).json()).toMatchObject({ plan: "free" })
})

test("people remove deletes an account, and ends its access at the vendor, once --yes is added", async () => {
  const person = service.simulator.people.add({ email: "noa@vendor.example" })
  const noa = new Member(service)
  const { output } = await run("people", "invite", "--json")
  const { email, password } = noa
  await noa.send("POST", "/api/auth/sign-up/email", {
    name: "Noa",
    email,
    password,
    invitation: tokenIn(JSON.parse(output).link, "invite"),
  })
  await noa.connect(person)
  await noa.untilHistoryIsComplete()
  const asked = await run("people", "remove", email)
  expect([asked.code, asked.errors]).toEqual([1, expect.stringMatching(/nothing was deleted.*whoop.*--yes/)])
  expect((await noa.send("GET", "/api/account")).status).toBe(200)
  const before = service.simulator.tokens.counts().refreshTokens
  expect((await run("people", "remove", email, "--yes")).output).toBe(`${email} and all its data are deleted\n`)
  expect((await noa.send("GET", "/api/account")).status).toBe(401)
  expect(service.simulator.tokens.counts().refreshTokens).toBe(before - 1)
})

test("export writes what the account page exports", async () => {
  const folder = await makeFolder("people")
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, "lena.json")
  const { code } = await run("export", "--account", lena.email, file)
  expect(code).toBe(0)
  const byCommand = JSON.parse(await readFile(file, "utf8"))
  const byPage = await (await lena.send("GET", "/api/account/export")).json()
  for (const document of [byCommand, byPage]) {
    delete document.exported_at
    delete document.security_log
  }
  expect(byCommand).toEqual(byPage)
  const again = await run("export", "--account", lena.email, file)
  expect([again.code, again.errors]).toEqual([1, expect.stringContaining("exists already")])
  const table = await run("export", "--account", lena.email, "--format", "csv", "--type", "sleep")
  expect(table.output).toBe(await (await lena.send("GET", "/api/account/export?format=csv&type=sleep")).text())
})

test.each([
  [["reset-password", "nobody@example.com"], 1, "there is no account with the address nobody@example.com"],
  [["export", "--account", "x@example.com", "--format", "csv"], 2, "a table holds one type"],
  [["export", "--account", "x@example.com", "--type", "sleep"], 2, "--type is for tables"],
  [["people", "invite", "nobody"], 1, "nobody is no email address"],
  [["people", "invit"], 2, "invit is one argument too many"],
] as const)("%j says what is wrong", async (commandLine, code, message) => {
  const failed = await run(...commandLine)
  expect([failed.code, failed.errors]).toEqual([code, expect.stringContaining(message)])
})

test("the help explains a command of two words", async () => {
  for (const commandLine of [
    ["people", "invite", "--help"],
    ["help", "people", "invite"],
  ])
    expect((await run(...commandLine)).output).toContain(
      "Usage: restwell people invite [EMAIL] [--plan free|pro] [--data-dir FOLDER] [--json]\n",
    )
})
