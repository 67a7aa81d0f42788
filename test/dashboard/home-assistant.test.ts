/* Home Assistant on the page: the owner sets it up on the page Service, and each person switches it on for themselves. */
import { expectGoodInEveryAppearance, expectNotKept, useBrowser, visit } from "@restwell/testing/browser"
import { startHomeAssistant, type TestHomeAssistant } from "@restwell/testing/home-assistant"
import { Member } from "@restwell/testing/member"
import { startBroker, type TestBroker } from "@restwell/testing/mqtt-broker"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

const NARROW = { width: 360, height: 740 }
const HOUR_MS = 3_600_000
const PASSWORD = "p@ss: word"

let broker: TestBroker
let home: TestHomeAssistant
let service: TestService
const browser = useBrowser()
let owner: Member
let ada: Member
beforeAll(async () => {
  broker = await startBroker({ password: { user: "rest/well", password: PASSWORD } })
  home = await startHomeAssistant()
  service = await startTestService({ days: 30 })
  owner = new Member(service)
  await owner.setUp()
  ;({ member: ada } = await Member.connected(service, service.simulator.people.add({ email: "ada@vendor.example" })))
})
afterAll(async () => {
  await service.close()
  await home.close()
  await broker.close()
})

test("the owner tries an address, corrects it and saves it, and a person switches it on", async () => {
  const before = await visit(browser, service, { member: ada })
  await before.open("/notifications")
  await before.page.getByRole("heading", { name: "Webhooks" }).waitFor()
  expect(await before.page.getByRole("heading", { name: "Home Assistant" }).count()).toBe(0)
  await before.close()

  const { page, open, close, faults } = await visit(browser, service, { member: owner, viewport: NARROW })
  await open("/service")
  const panel = page.getByRole("region", { name: "Home Assistant", exact: true })
  await panel.getByText("Set up Home Assistant").click()
  await panel.getByLabel("Address of the MQTT broker").fill(`127.0.0.1:${broker.port}`)
  await panel.getByLabel("User of the broker").fill("rest/well")
  await panel.getByLabel("Its password").fill("wrong")
  await panel.getByLabel("Address of Home Assistant").fill(`${home.url}/`)
  await panel.getByRole("button", { name: "Save" }).click()
  await panel.getByText("home_assistant_token is missing").waitFor()
  await panel.getByLabel("Long-lived access token").fill(home.token)
  await panel.getByRole("button", { name: "Try it" }).click()
  await panel.getByText("The broker was reached, and it refuses the user name or the password.").waitFor()
  await panel.getByText("Home Assistant's history works.").waitFor()
  await panel.getByLabel("Its password").fill(PASSWORD)
  await panel.getByRole("button", { name: "Try it" }).click()
  await panel.getByText("The MQTT broker works.").waitFor()
  await expectGoodInEveryAppearance(page)
  await panel.getByRole("button", { name: "Save" }).click()
  await panel.getByText(`The MQTT broker: 127.0.0.1:${broker.port}.`).waitFor()
  await panel.getByText("Nobody has switched it on.").waitFor()
  expect(await page.content()).not.toContain(home.token)
  await panel.getByRole("button", { name: "Try it" }).first().click()
  await panel.getByText("The MQTT broker works.").waitFor()
  expect(faults).toEqual([])
  await close()

  const after = await visit(browser, service, { member: ada, viewport: NARROW })
  await after.open("/notifications")
  await after.page.getByLabel("Send my figures to Home Assistant").check()
  await expect.poll(() => [...broker.retained.keys()].filter((topic) => topic.endsWith("/state"))).toHaveLength(1)
  await expectGoodInEveryAppearance(after.page)
  await after.page.getByLabel("Send my figures to Home Assistant").uncheck()
  await expect.poll(() => [...broker.retained.keys()].filter((topic) => topic.endsWith("/state"))).toHaveLength(0)
  expect(after.faults).toEqual([])
  await after.close()
})

test("an hour after the sign-in, the page asks for the password where a figure or a link would go elsewhere", async () => {
  service.simulator.clock.advance(2 * HOUR_MS)
  const { page, open, close, faults } = await visit(browser, service, { member: owner, viewport: NARROW })
  await open("/service")
  const panel = page.getByRole("region", { name: "Home Assistant", exact: true })
  await panel.getByText("Change it").click()
  await panel.getByLabel("Address of the MQTT broker").fill("192.168.1.21")
  const save = panel.getByRole("button", { name: "Save" })
  await save.click()
  await panel.getByLabel("Your password").fill("a guess that is wrong")
  await save.click()
  await panel.getByText("Incorrect password.").waitFor()
  await expectGoodInEveryAppearance(page)
  await panel.getByLabel("Your password").fill(owner.password)
  await save.click()
  await panel.getByText("The MQTT broker: 192.168.1.21.").waitFor()
  await expectNotKept(page, owner.password)
  expect(faults).toEqual([])
  await close()
})
