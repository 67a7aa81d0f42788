import { readFile } from "node:fs/promises"
import type { Chart } from "@restwell/client"
import { launchChromium } from "@restwell/testing/browser"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Chat, type ChatOptions, type ChatServers, startChatServers } from "./chat.ts"
import { EXAMPLE_CHARTS, GAPS, NINETY_POINTS, resultWith } from "./example-charts.ts"

const HTML = new URL("../../packages/dashboard/dist/chat.html", import.meta.url)
const WIDTHS = { narrow: 320, usual: 640, full: 1280 } as const

let browser: Browser
let servers: ChatServers
let html: string
beforeAll(async () => {
  html = await readFile(HTML, "utf8")
  servers = await startChatServers()
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  await servers[Symbol.asyncDispose]()
})

/** Opens a chat, and expects no fault of the view in it. */
async function inChat(options: ChatOptions, use: (chat: Chat) => Promise<void>): Promise<void> {
  const chat = await servers.open(browser, html, options)
  await use(chat)
  expect(await chat.faults()).toEqual([])
  await chat.close()
}

/** Sends a call and its result, as for every question of a chat. */
async function show(chat: Chat, chart: Chart): Promise<void> {
  await chat.input({})
  await chat.view.getByText("Loading the chart").waitFor()
  await chat.result(resultWith(chart))
  await chat.view.getByText("Loading the chart").waitFor({ state: "detached" })
}

const heading = (chat: Chat) => chat.view.getByRole("heading", { level: 1 })

describe.each(["light", "dark"] as const)("in %s", (theme) => {
  describe.each(Object.entries(WIDTHS))("at the %s width", (_, width) => {
    test("every chart is accessible, fits, and breaks no policy", { timeout: 120_000 }, async () => {
      await inChat({ theme, width }, async (chat) => {
        for (const chart of Object.values(EXAMPLE_CHARTS)) {
          await show(chat, chart)
          await chat.expectGood()
        }
      })
    })

    test("every table is accessible and fits", { timeout: 120_000 }, async () => {
      await inChat({ theme, width }, async (chat) => {
        for (const name of ["trend-gaps", "comparison", "relation-all", "night-phases"] as const) {
          await show(chat, EXAMPLE_CHARTS[name])
          await chat.view.getByRole("button", { name: "Table" }).click()
          await chat.view.getByRole("table").waitFor()
          await chat.expectGood()
        }
      })
    })

    test.each([
      ["waiting", "Loading the chart", async () => undefined],
      [
        "a failed call",
        "rate_limited: the monthly limit is reached",
        (chat: Chat) =>
          chat.result({
            isError: true,
            content: [{ type: "text", text: "rate_limited: the monthly limit is reached" }],
          }),
      ],
      ["a cancelled call", "the person pressed stop", (chat: Chat) => chat.cancel("the person pressed stop")],
      [
        "a result without the chart",
        "Rising: +1.8 ms",
        (chat: Chat) => chat.result({ content: [{ type: "text", text: "Rising: +1.8 ms" }] }),
      ],
    ])("%s is told in words", async (_state, words, happen) => {
      await inChat({ theme, width }, async (chat) => {
        await chat.input({ metric: "hrv" })
        await happen(chat)
        await chat.view.getByText(words).waitFor()
        await chat.expectGood()
      })
    })
  })
})

describe("a trend", () => {
  test("is read by keyboard, date by date, with its gaps", async () => {
    await inChat({}, async (chat) => {
      await chat.result(resultWith(GAPS))
      const slider = chat.view.getByRole("slider", { name: /^Heart rate variability, use the arrow keys/ })
      await slider.focus()
      await chat.page.keyboard.press("End")
      expect(await slider.getAttribute("aria-valuetext")).toBe("Sat, Nov 21, 2026: no data")
      for (let presses = 0; presses < 3; presses += 1) await chat.page.keyboard.press("ArrowLeft")
      const [date, value] = GAPS.answer.points?.at(-1) ?? []
      expect(date).toBe("2026-11-18")
      expect(await slider.getAttribute("aria-valuetext")).toBe(`Wed, Nov 18, 2026: ${Number(value).toFixed(1)} ms`)
      await chat.view.getByText(`Wed, Nov 18, 2026: ${Number(value).toFixed(1)} ms`).waitFor()
    })
  })

  test("says verdict, interval and numbers of values, and has every value in its table", async () => {
    await inChat({}, async (chat) => {
      await chat.result(resultWith(NINETY_POINTS))
      await chat.view
        .getByText("Rising: +1.8 ms in 30 days, 95 % interval +0.4 to +3.2 ms. 90 values.", { exact: true })
        .waitFor()
      await chat.view.getByRole("button", { name: "Table" }).click()
      const read: string[] = []
      for (let page = 0; page < 9; page += 1) {
        read.push(...(await chat.view.getByRole("cell").allInnerTexts()))
        await chat.view.getByRole("button", { name: "Next rows" }).click({ force: true })
      }
      const expected = (NINETY_POINTS.answer.points ?? []).toReversed()
      expect(read).toEqual(expected.map(([, value]) => `${Number(value).toFixed(1)} ms`))
    })
  })

  test("draws as many dots as it has values, and a line that ends at a gap", async () => {
    await inChat({}, async (chat) => {
      await chat.result(resultWith(GAPS))
      await heading(chat).waitFor()
      expect(await chat.view.locator("svg circle").count()).toBe(GAPS.answer.n)
      expect(await chat.view.locator("svg path.stroke-hrv").count()).toBeGreaterThan(5)
    })
  })
})

describe("the chat around the view", () => {
  test("sets theme and style variables, at first and later", async () => {
    await inChat({ variables: { "--color-text-primary": "rgb(1, 2, 3)" } }, async (chat) => {
      await chat.result(resultWith(NINETY_POINTS))
      await heading(chat).waitFor()
      const style = (name: "color" | "colorScheme" | "backgroundColor") =>
        chat.view.evaluate(
          (property) =>
            getComputedStyle(property === "colorScheme" ? document.documentElement : document.body)[property],
          name,
        )
      expect(await style("color")).toBe("rgb(1, 2, 3)")
      expect(await style("colorScheme")).toBe("light")
      await chat.change({ theme: "dark", styles: { variables: { "--color-text-primary": "rgb(250, 251, 252)" } } })
      await expect.poll(() => style("color")).toBe("rgb(250, 251, 252)")
      expect(await style("colorScheme")).toBe("dark")
      expect(await style("backgroundColor")).toBe("rgba(0, 0, 0, 0)")
      await heading(chat).waitFor()
    })
  })

  test("is told the new size when the view's width changes, and does not drive it in circles", async () => {
    await inChat({ width: 640 }, async (chat) => {
      await chat.result(resultWith(NINETY_POINTS))
      await chat.expectGood()
      await chat.page.setViewportSize({ width: 320, height: 800 })
      await expect.poll(() => chat.page.evaluate(() => window.chatHost.size?.width)).toBe(320)
      await chat.expectGood()
      const before = await chat.page.evaluate(() => window.chatHost.sizes)
      await chat.page.waitForTimeout(300)
      expect(await chat.page.evaluate(() => window.chatHost.sizes)).toBe(before)
      expect(before).toBeLessThan(12)
    })
  })

  test("opens the dashboard for the person, and may remove the view", async () => {
    await inChat({}, async (chat) => {
      await chat.result(resultWith(NINETY_POINTS))
      await chat.view.getByRole("button", { name: "Open in Restwell" }).click()
      await expect
        .poll(() => chat.page.evaluate(() => window.chatHost.links))
        .toEqual(["https://restwell.example/trends?metric=hrv&days=90"])
      expect(await chat.page.evaluate(() => window.chatHost.teardown())).toEqual({})
    })
  })

  test("may send messages that the view does not know", async () => {
    await inChat({}, async (chat) => {
      await chat.page.evaluate(() => {
        const { contentWindow } = document.querySelector("iframe") ?? {}
        for (const message of [
          "text",
          { jsonrpc: "2.0", method: "ui/notifications/later" },
          { jsonrpc: "2.0", method: "ui/notifications/tool-result", params: 7 },
        ])
          contentWindow?.postMessage(message, "*")
      })
      await chat.result(resultWith(NINETY_POINTS))
      await heading(chat).waitFor()
    })
  })
})
