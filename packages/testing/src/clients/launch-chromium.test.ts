import { expect, it } from "vitest"
import { launchChromium } from "./browser.ts"

it("starts a browser that runs scripts and lays out text in a real font", async () => {
  await using browser = await launchChromium()
  const page = await browser.newPage()
  await page.setContent("<p>sleep</p>")
  const width = await page.evaluate(
    "const r = document.createRange(); r.selectNodeContents(document.querySelector('p')); r.getBoundingClientRect().width",
  )
  expect(width).toBeGreaterThan(20)
})

it("starts two browsers at once", async () => {
  await using first = await launchChromium()
  await using second = await launchChromium()
  expect([first.isConnected(), second.isConnected()]).toEqual([true, true])
})
