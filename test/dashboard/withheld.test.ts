// What a vendor withholds is named once, with its reason, where a person looks for it.
import { TrendsResponseSchema } from "@restwell/client"
import { officeWorker } from "@restwell/simulator"
import { expectAccessible, useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
const browser = useBrowser()
beforeAll(async () => {
  service = await startTestService({ days: 30, vendor: "oura" })
})
afterAll(() => service.close())

interface Withheld {
  readonly name: string
  /** Of the lists and records, by the status they are refused with. */
  readonly refused: readonly (readonly [RegExp, number])[]
  readonly vendors: readonly ("whoop" | "oura")[]
}

async function connected({ name, refused, vendors }: Withheld): Promise<Member> {
  const person = service.simulator.people.add({ email: `${name}@vendor.example`, traits: officeWorker })
  for (const { faults } of [service.simulator, service.simulatorOf("oura")])
    for (const [path, status] of refused)
      faults.add({ match: { path, personId: person.userId }, kind: "status", status })
  const [first, ...others] = vendors
  const { member } = await Member.connected(service, person, undefined, first)
  for (const vendor of others) await member.connect(person, vendor)
  await member.untilHistoryIsComplete()
  return member
}

const WORKOUTS = "WHOOP withholds workouts until its app is updated. Update the WHOOP app on the phone and open it."
const OXYGEN = "Oura does not allow SpO2."

test.each<[Withheld, readonly string[]]>([
  [{ name: "one", refused: [[/\/activity\/workout/, 426]], vendors: ["whoop"] }, [WORKOUTS]],
  [
    {
      name: "two",
      refused: [
        [/\/activity\/workout/, 426],
        [/\/daily_spo2/, 403],
      ],
      vendors: ["whoop", "oura"],
    },
    [WORKOUTS, OXYGEN],
  ],
])("the page Sources names what $name withholds, with its reason and what helps", async (withheld, sentences) => {
  const window = await visit(browser, service, { member: await connected(withheld) })
  const { page, faults, open, close } = window
  await open("/sources")
  for (const text of sentences) await page.getByRole("listitem").filter({ hasText: text }).waitFor()
  await expectAccessible(page)
  expect(faults).toEqual([])
  await close()
})

test("Today says once why a night is missing, and does not ask whether the device was worn", async () => {
  const refused = [/\/activity\/sleep/, /\/recovery$/].map((path) => [path, 403] as const)
  const member = await connected({ name: "night", refused, vendors: ["whoop"] })
  const { today } = TrendsResponseSchema.parse(await (await member.send("GET", "/api/account/trends")).json())
  const { page, faults, open, close } = await visit(browser, service, { member })
  const before = Temporal.PlainDate.from(today).subtract({ days: 3 })
  for (const path of ["/", `/?date=${before}`]) {
    await open(path)
    await page.getByText("A part of this day is missing").waitFor()
    expect(await page.getByText("WHOOP does not allow sleep.").count()).toBe(1)
    await page.getByRole("region", { name: "Sleep", exact: true }).getByText("Missing, for the reason above.").waitFor()
    const text = await page.locator("main").textContent()
    expect(text).toContain("Your night is missing.")
    expect(text).not.toMatch(/Did you wear|was recorded|not here yet/)
    await expectAccessible(page)
  }
  expect(faults).toEqual([])
  await close()
})
