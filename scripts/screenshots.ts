/** `npm run screenshots`: writes the pictures of README to docs/images. Same data, same clock, same pictures at every run. */
import { mkdir } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { launchChromium, PHONE, signInAs } from "@restwell/testing/browser"
import { NOT_DURABLE, startPostgres } from "@restwell/testing/database"
import { Member } from "@restwell/testing/member"
import { serviceEnvironment, startInProcess, vendorEnvironment } from "@restwell/testing/service"
import { startOuraBeside, startVendor } from "@restwell/testing/vendor"
import type { Browser } from "playwright-core"

const FOLDER = fileURLToPath(new URL("../docs/images/", import.meta.url))
/** An evening in Berlin, after a workout. */
const NOW = new Date("2026-03-11T18:30:00Z")
const PERSON = { email: "lena@example.com" }

interface Picture {
  readonly name: string
  readonly path: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly pixelRatio: number
}

const PICTURES: readonly Picture[] = [
  { name: "today.png", path: "/", viewport: { width: 1280, height: 1100 }, pixelRatio: 1 },
  { name: "trends-phone.png", path: "/trends", viewport: { width: PHONE.width, height: 640 }, pixelRatio: 2 },
  { name: "sources.png", path: "/sources", viewport: { width: 1280, height: 1180 }, pixelRatio: 1 },
]

await using parts = new AsyncDisposableStack()
const vendor = await startVendor({ seed: "demo", now: NOW, defaultPeople: true, wearsAlways: true })
parts.defer(() => vendor.close())
const oura = await startOuraBeside(vendor, { heartRateShare: 1 })
parts.defer(() => oura.close())
const postgres = await startPostgres({ settings: NOT_DURABLE })
parts.defer(() => postgres.remove())
const service = await startInProcess({
  environment: { ...serviceEnvironment(postgres, vendor), ...vendorEnvironment(oura, "oura") },
  clock: { now: () => new Date(vendor.clock.nowMs()) },
  log: [],
})
parts.defer(() => service.close())
const { member } = await Member.connected(service, PERSON)
await member.connect(PERSON, "oura")
await member.untilHistoryIsComplete()
const browser = await launchChromium()
parts.defer(() => browser.close())
await mkdir(FOLDER, { recursive: true })
for (const picture of PICTURES) await take(browser, picture)

async function take(chromium: Browser, { name, path, viewport, pixelRatio }: Picture): Promise<void> {
  const context = await chromium.newContext({
    baseURL: service.url,
    viewport,
    deviceScaleFactor: pixelRatio,
    colorScheme: "light",
    reducedMotion: "reduce",
    locale: "en-US",
    timezoneId: "Europe/Berlin",
  })
  await signInAs(context, service.url, member)
  const page = await context.newPage()
  await page.clock.setFixedTime(NOW)
  await page.goto(path)
  await page.locator("h1").waitFor()
  await page.waitForLoadState("networkidle")
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: `${FOLDER}${name}`, animations: "disabled", caret: "hide" })
  await context.close()
  process.stdout.write(`docs/images/${name}\n`)
}
