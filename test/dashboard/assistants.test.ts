import { spawnSync } from "node:child_process"
import { callConnector, callTool, connectAssistant, fillAccessLog, register } from "@restwell/testing/assistant"
import { DESKTOP, expectAccessible, expectNoSidewaysScroll, PHONE, useBrowser, visit } from "@restwell/testing/browser"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

const NARROW = { width: 320, height: 640 }

let service: TestService
const browser = useBrowser()
beforeAll(async () => {
  service = await startTestService({ days: 10 })
})
afterAll(() => service.close())

async function connected() {
  const person = service.simulator.people.addOne()
  const { member, key } = await Member.connected(service, person)
  const client = await register(service, { client_name: "Claude" })
  const choice = { scopes: ["sleep:read"], days: "30" as const }
  return { member, key, tokens: await connectAssistant(service, member, { client, choice }) }
}

test("assistants are listed with their access, and every read is in the access log", async () => {
  const { member, key, tokens } = await connected()
  const { page, faults, open, close } = await visit(browser, service, { member })
  await open("/access")
  const entry = page.getByRole("listitem").filter({ hasText: "Claude" }).first()
  await entry.getByText("Last read: never.").waitFor()
  expect(await entry.innerText()).toContain("Not verified, redirects to assistant.example.")
  expect(await entry.innerText()).toContain("Can read sleep, the last 30 days.")
  await page.getByText("No reads yet.").waitFor()

  await callTool(service, tokens.access_token, "get_sleep", { start_date: "2026-11-15", end_date: "2026-11-16" })
  await callTool(service, tokens.access_token, "get_recovery", { days: 1 })
  expect((await readHealth(service.url, key, "?type=profile")).status).toBe(200)
  await open("/access")
  await entry.getByText("Last read: just now.").waitFor()
  const reads = page.getByRole("region", { name: "Reads" }).getByRole("row")
  await reads.nth(3).waitFor()
  const rows = await reads.allInnerTexts()
  expect(rows.map((row) => row.replaceAll(/\s+/g, " "))).toEqual([
    "Time Reader Request Dates Records Outcome",
    expect.stringMatching(/Your API key \/api\/v1\/health\?type=profile none 1 answered$/),
    expect.stringMatching(/Claude get_recovery .+ none forbidden$/),
    expect.stringMatching(/Claude get_sleep Sun, Nov 15, 2026 to Mon, Nov 16, 2026 \d+ answered$/),
  ])
  // On a phone every read is written whole, in lines.
  await page.setViewportSize({ width: 360, height: 780 })
  const region = page.getByRole("region", { name: "Reads" })
  await expect.poll(() => region.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  expect((await reads.nth(1).innerText()).replaceAll(/\s+/g, " ")).toMatch(
    /Your API key \/api\/v1\/health\?type=profile Dates: none Records: 1 answered$/,
  )
  const address = page.getByRole("region", { name: "connector address" })
  expect(await address.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  expect(faults).toEqual([])
  await close()
})

test("an assistant is revoked after a confirmation, and its next request is refused", async () => {
  const { member, tokens } = await connected()
  const { page, open, close } = await visit(browser, service, { member })
  await open("/access")
  await page.getByRole("button", { name: "Revoke Claude" }).click()
  const dialog = page.getByRole("alertdialog")
  await dialog.getByRole("button", { name: "Cancel" }).click()
  expect((await callConnector(service, tokens.access_token, "tools/list")).status).toBe(200)
  await page.getByRole("button", { name: "Revoke Claude" }).click()
  await dialog.getByRole("button", { name: "Revoke" }).click()
  await page.getByText("No assistant can read your data yet.").waitFor()
  expect((await callConnector(service, tokens.access_token, "tools/list")).status).toBe(401)
  await close()
})

test("the access log loads older reads page by page", async () => {
  const { member, tokens } = await connected()
  await fillAccessLog(service, tokens.clientId, 130)
  const { page, open, close } = await visit(browser, service, { member })
  await open("/access")
  const rows = page.getByRole("region", { name: "Reads" }).getByRole("row")
  await page.getByRole("button", { name: "Show older" }).click()
  await expect.poll(() => rows.count()).toBe(131)
  await expect.poll(() => page.getByRole("button", { name: "Show older" }).count()).toBe(0)
  await close()
})

describe("the guides", () => {
  test("contain the address of this server, and valid configuration files", async () => {
    const member = new Member(service)
    await member.signUp()
    const { page, open, close } = await visit(browser, service, { member })
    await open("/access")
    const address = `${service.url}/api/mcp/oauth`
    expect(await page.getByRole("region", { name: "connector address" }).innerText()).toBe(address)
    const guide = async (name: string, part: string) => {
      await page.getByRole("tab", { name, exact: true }).click()
      return page.getByRole("region", { name: part }).innerText()
    }
    expect(JSON.parse(await guide("VS Code", "VS Code file"))).toEqual({
      servers: { restwell: { type: "http", url: address } },
    })
    expect(JSON.parse(await guide("Cursor", "Cursor file"))).toEqual({ mcpServers: { restwell: { url: address } } })
    expect(await guide("Claude Code", "Claude Code command")).toBe(
      `claude mcp add --transport http restwell ${address}`,
    )
    const { mcpServers } = JSON.parse(await guide("Claude Desktop", "Claude Desktop file"))
    const { command, args, env } = mcpServers.restwell
    expect(mcpServers).toEqual({
      restwell: {
        command: process.execPath,
        args: [new URL("../../packages/server/bin/restwell.js", import.meta.url).pathname, "mcp"],
        env: { RESTWELL_URL: service.url, RESTWELL_API_KEY: "YOUR_KEY" },
      },
    })
    // Only the key is left to fill in, also in another folder.
    const refused = spawnSync(command, args, { env, cwd: "/", encoding: "utf8" })
    expect(refused.stderr).toBe(
      "restwell: the settings have a mistake:\n- RESTWELL_API_KEY must be rw_ followed by letters and digits\n",
    )
    await close()
  })

  test("of assistants on the web are offered for a public https address, and others say what is missing", async () => {
    const member = new Member(service)
    await member.signUp()
    const { page, open, close } = await visit(browser, service, { member })
    const tabs = async (address: { is_https: boolean; reach: string }) => {
      await page.route("**/api/account", async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), address, local_program: null } })
      })
      await open("/access")
      await page.getByRole("tab", { name: "Claude Desktop" }).waitFor()
      await expectAccessible(page)
      const names = await page.getByRole("tablist", { name: "Assistants" }).getByRole("tab").allInnerTexts()
      const notice = await page.getByText("assistants on the web cannot reach this address").count()
      await page.unroute("**/api/account")
      return [names.join(), notice]
    }
    const everyOne = "Claude,ChatGPT,VS Code,Cursor,Claude Code,Claude Desktop"
    expect(await tabs({ is_https: true, reach: "internet" })).toEqual([everyOne, 0])
    const onThisComputer = "VS Code,Cursor,Claude Code,Claude Desktop"
    expect(await tabs({ is_https: false, reach: "this_computer" })).toEqual([onThisComputer, 1])
    for (const address of [
      { is_https: false, reach: "home" },
      { is_https: true, reach: "home" },
      { is_https: false, reach: "internet" },
    ])
      expect(await tabs(address)).toEqual(["Claude Desktop", 1])
    await close()
  })

  test("complete their line of the first steps after one is connected", async () => {
    const { member } = await connected()
    const { page, open, close } = await visit(browser, service, { member })
    await open("/start")
    const step = page.getByRole("group").filter({ hasText: "Add the connector to your assistant" }).first()
    await expect.poll(() => step.innerText()).toMatch(/Done/i)
    await close()
  })
})

test.each([
  ["dark", DESKTOP],
  ["light", PHONE],
  ["light", NARROW],
] as const)("Access is accessible with assistants and reads, %s %o", async (colorScheme, viewport) => {
  const { member, tokens } = await connected()
  await callTool(service, tokens.access_token, "get_sleep")
  const { page, open, close } = await visit(browser, service, { member, colorScheme, viewport })
  await open("/access")
  await page.getByRole("table").waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await page.getByRole("button", { name: "Revoke Claude" }).click()
  await page.getByRole("alertdialog").waitFor()
  await expectAccessible(page)
  await close()
})
