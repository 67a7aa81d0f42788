import { launchChromium } from "./launch-chromium.ts"

const [b, b2] = await Promise.all([launchChromium(), launchChromium()])
const page = await b.newPage()
page.on("console", (m) => console.log(m.text()))
await page.setContent(
  "<p id=a><span>sleep</span></p><p style='font-family:monospace'><span>sleep</span></p><p style='font-family:sans-serif'><span>sleep</span></p><p style='font-family:Open Sans'><span>sleep</span></p>",
)
console.log(await page.evaluate("[...document.querySelectorAll('span')].map(p=>p.getBoundingClientRect().width)"))
console.log(b.version())
await page.screenshot({ path: "/tmp/crtest/a.png" })
await b.close()
await b2.close()
