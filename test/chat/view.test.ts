import { useBrowser } from "@restwell/testing/browser"
import { describe, expect, test } from "vitest"
import { type Chat, useChats } from "./chat.ts"
import { EXAMPLE_CHARTS, GAPS, NINETY_POINTS, resultWith, UNCLEAR } from "./example-charts.ts"

/** Each theme and each width: colours depend on the one and the layout on the other. */
const APPEARANCES = [
  { theme: "light", width: 320 },
  { theme: "dark", width: 1280 },
] as const

const { inChat, show } = useChats(useBrowser())

/** Texts of the drawing that a line of a grid, an axis or a zero runs through. */
const labelsUnderRules = (chat: Chat): Promise<string[]> =>
  chat.view.evaluate(() => {
    const rules = [...document.querySelectorAll("svg line, svg path")].filter(
      (rule) => rule instanceof SVGGeometryElement && /stroke-(line|muted)/.test(rule.getAttribute("class") ?? ""),
    )
    const isUnder = (rule: Element, { left, right, top, bottom }: DOMRect): boolean => {
      const box = rule.getBoundingClientRect()
      if (box.left > right || box.right < left || box.top > bottom || box.bottom < top) return false
      if (!(rule instanceof SVGGeometryElement)) return false
      const toRule = rule.getScreenCTM()?.inverse()
      for (let y = top + 2; y <= bottom - 2; y += 1)
        for (let x = left; x <= right; x += 0.5)
          if (rule.isPointInStroke(new DOMPoint(x, y).matrixTransform(toRule))) return true
      return false
    }
    return [...document.querySelectorAll("svg text")].flatMap((text) => {
      const box = text.getBoundingClientRect()
      return rules.some((rule) => isUnder(rule, box)) ? [text.textContent ?? ""] : []
    })
  })

const heading = (chat: Chat) => chat.view.getByRole("heading", { level: 1 })

describe.each(APPEARANCES)("in $theme, $width pixels wide", (appearance) => {
  test("every chart is accessible, fits, and breaks no policy", { timeout: 120_000 }, async () => {
    await inChat(appearance, async (chat) => {
      for (const chart of Object.values(EXAMPLE_CHARTS)) {
        await show(chat, chart)
        await chat.expectGood()
      }
    })
  })

  test("every table is accessible and fits", { timeout: 120_000 }, async () => {
    await inChat(appearance, async (chat) => {
      for (const name of [
        "trend-gaps",
        "weekdays-asleep",
        "comparison",
        "relation-all",
        "night-phases",
        "series-day",
      ] as const) {
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
  ])("%s is shown in words", async (_state, words, happen) => {
    await inChat(appearance, async (chat) => {
      await chat.input({ metric: "hrv" })
      await happen(chat)
      await chat.view.getByText(words).waitFor()
      await chat.expectGood()
    })
  })
})

test.each([320, 640])("%i pixels wide, no line runs through a text, and no minutes look like metres", async (width) => {
  await inChat({ width }, async (chat) => {
    for (const [name, chart] of Object.entries(EXAMPLE_CHARTS)) {
      await show(chat, chart)
      expect(await labelsUnderRules(chat), name).toEqual([])
      expect(await chat.view.locator("body").innerText(), name).not.toMatch(/\d m\b/)
    }
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

  test("has weeks that begin on the person's first weekday", async () => {
    await inChat({}, async (chat) => {
      await show(chat, EXAMPLE_CHARTS["trend-400-days-from-sunday"])
      await chat.view.getByRole("slider").focus()
      await chat.page.keyboard.press("End")
      expect(await chat.view.getByRole("slider").getAttribute("aria-valuetext")).toMatch(/^Week of Sun, Nov 15, 2026: /)
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

/** Where a mark is, as a share of the drawing's width. */
const placesOf = (chat: Chat, selector: string) =>
  chat.view.locator(`svg ${selector}`).evaluateAll((marks) =>
    marks.map((mark) => {
      const [box, whole] = [mark.getBoundingClientRect(), mark.closest("svg")?.getBoundingClientRect()]
      return { width: box.width / (whole?.width ?? 1), middle: (box.left + box.width / 2) / (whole?.width ?? 1) }
    }),
  )

describe("groups", () => {
  test("a difference that is small beside the spread is drawn small, and the spread beside it", async () => {
    await inChat({}, async (chat) => {
      await chat.result(resultWith(UNCLEAR))
      await heading(chat).waitFor()
      const [yes, no] = await placesOf(chat, "circle")
      expect(Math.abs((yes?.middle ?? 0) - (no?.middle ?? 1))).toBeLessThan(0.02)
      const spreads = await placesOf(chat, "path.stroke-deep")
      expect(spreads).toHaveLength(2)
      for (const { width } of spreads) expect(width).toBeGreaterThan(0.7)
      const slider = chat.view.getByRole("slider")
      await slider.focus()
      await chat.page.keyboard.press("Home")
      expect(await slider.getAttribute("aria-valuetext")).toBe(
        "Yes, 41 dates: mean 7 h 29 min, standard deviation 50 min",
      )
    })
  })

  test("correlations of nothing do not fill the axis either", async () => {
    await inChat({}, async (chat) => {
      const chart = EXAMPLE_CHARTS["relation-all"]
      if (!("relations" in chart.answer)) throw new Error("not the list")
      const relations = [0.01, -0.01].map((rho, index) => ({
        factor: `factor_${index}`,
        kind: "number" as const,
        n: 12,
        rho,
        interval: null,
        verdict: "not_enough_data" as const,
        part_of_outcome: false,
      }))
      await chat.result(resultWith({ ...chart, answer: { ...chart.answer, relations } }))
      await heading(chat).waitFor()
      const [one, other] = await placesOf(chat, "circle")
      expect(Math.abs((one?.middle ?? 0) - (other?.middle ?? 1))).toBeLessThan(0.05)
    })
  })

  test("clear answers of the journal are listed above the correlations", async () => {
    await inChat({}, async (chat) => {
      await chat.result(resultWith(EXAMPLE_CHARTS["relation-all"]))
      await chat.view.getByText("Alcohol: \u221210.2 percentage points with yes, clear", { exact: true }).waitFor()
      await chat.view.getByText("The table has 4 more factors.").waitFor()
    })
  })
})

describe("weekdays", () => {
  test("a trend that was asked by weekday has a bar for each, with its spread", async () => {
    await inChat({}, async (chat) => {
      await chat.result(resultWith(EXAMPLE_CHARTS["weekdays-hrv"]))
      await chat.view.getByRole("heading", { level: 1, name: "Heart rate variability by weekday" }).waitFor()
      await chat.view
        .getByText(/^From 61\.0 ms on Mondays to 68\.2 ms on Saturdays, \d+ values\. No weekday clearly differs/)
        .waitFor()
      // A bar and the mark of its mean.
      expect(await chat.view.locator("svg rect").count()).toBe(14)
      const slider = chat.view.getByRole("slider", { name: /use the arrow keys to read each weekday$/ })
      await slider.focus()
      await chat.page.keyboard.press("Home")
      const monday = "Monday: mean 61.0 ms, standard deviation 6.1 ms, 12 values"
      expect(await slider.getAttribute("aria-valuetext")).toBe(monday)
      await chat.view.getByRole("button", { name: "Table" }).click()
      expect(await chat.view.getByRole("row").nth(1).innerText()).toBe("Monday\t61.0 ms\t6.1 ms\t12")
    })
  })

  test("the latest bedtime is that after midnight, on the person's clock and from the person's first weekday", async () => {
    await inChat({}, async (chat) => {
      await chat.result(resultWith(EXAMPLE_CHARTS["weekdays-bedtimes"]))
      await chat.view.getByText("From 23:20 on Sundays to 01:02 on Saturdays").waitFor()
      await show(chat, EXAMPLE_CHARTS["weekdays-bedtimes-12h"])
      await chat.view.getByText("From 11:20 PM on Sundays to 1:02 AM on Saturdays").waitFor()
      expect(await chat.view.locator("svg text", { hasText: /^[SM]/ }).first().textContent()).toBe("Sun")
      await show(chat, EXAMPLE_CHARTS["night-12h"])
      await chat.view.getByText("11:19 PM to 6:58 AM local time").waitFor()
    })
  })

  test("shares of yes stand on zero", async () => {
    await inChat({}, async (chat) => {
      await chat.result(resultWith(EXAMPLE_CHARTS["weekdays-alcohol"]))
      await chat.view.getByText("From 8 % on Mondays to 77 % on Saturdays").waitFor()
      const bottoms = await chat.view
        .locator("svg rect")
        .evaluateAll((bars) => bars.map((bar) => Math.round(bar.getBoundingClientRect().bottom)))
      expect(bottoms).toHaveLength(7)
      expect(new Set(bottoms).size).toBe(1)
    })
  })
})

describe("figures", () => {
  test("a change has every decimal of the answer", async () => {
    await inChat({}, async (chat) => {
      const { answer, ...chart } = NINETY_POINTS
      const precise = { ...answer, slope_per_30_days: 1.82, interval: [0.04, 3.6] as [number, number] }
      await chat.result(resultWith({ ...chart, answer: precise }))
      await chat.view.getByText("Rising: +1.82 ms in 30 days, 95 % interval +0.04 to +3.6 ms. 90 values.").waitFor()
    })
  })

  test("weeks and months that were asked for have the means of the answer", async () => {
    await inChat({}, async (chat) => {
      await chat.result(resultWith(EXAMPLE_CHARTS["trend-by-month"]))
      const slider = chat.view.getByRole("slider")
      await slider.focus()
      expect(await slider.getAttribute("aria-valuetext")).toBe("Nov 2026: 63.4 ms, mean of 21 of 21 days")
      const { answer, ...chart } = EXAMPLE_CHARTS["trend-by-month"]
      const groups = [{ group: "2026-W47", n: 6, mean: 12.3, sd: 1 }]
      await show(chat, { ...chart, answer: { ...answer, groups } })
      await slider.focus()
      const week = "Week of Mon, Nov 16, 2026: 12.3 ms, mean of 6 of 6 days"
      expect(await slider.getAttribute("aria-valuetext")).toBe(week)
    })
  })

  test("a mean of hours is rounded like one of an answer before it is minutes", async () => {
    await inChat({}, async (chat) => {
      const chart = EXAMPLE_CHARTS["trend-asleep"]
      // The mean is 7.493 h, which an answer has as 7.49 h: 7 h 29 min. In minutes at once it would be 7 h 30 min.
      const values = [7.49, 7.49, 7.49, 7.49, 7.5, 7.5]
      const points = values.map((value, index): [string, number] => [`2026-11-${16 + index}`, value])
      const period = { start_date: "2026-01-01", end_date: "2026-11-21", days: 325 }
      const early: [string, number] = ["2026-01-01", 7]
      const answer = { ...chart.answer, period, points: [early, ...points], n: 7, usual: null, latest: null }
      await chat.result(resultWith({ ...chart, answer }))
      const slider = chat.view.getByRole("slider")
      await slider.focus()
      const text = await slider.getAttribute("aria-valuetext")
      expect(text).toBe("Week of Mon, Nov 16, 2026: 7 h 29 min, mean of 6 of 6 days")
    })
  })
})

describe("the usual range", () => {
  const band = (chat: Chat) => placesOf(chat, "rect.fill-band")

  test("is that of the newest value, and reaches back to the values behind it only", async () => {
    await inChat({}, async (chat) => {
      await chat.result(resultWith(NINETY_POINTS))
      await chat.view.getByText("usual range on Nov 21, of 30 values before it", { exact: true }).waitFor()
      const [drawn, ...others] = await band(chat)
      expect(others).toEqual([])
      expect(drawn?.width).toBeGreaterThan(0.28)
      expect(drawn?.width).toBeLessThan(0.36)
    })
  })

  test("is not drawn behind means of weeks or months", async () => {
    await inChat({}, async (chat) => {
      await chat.result(resultWith(EXAMPLE_CHARTS["trend-10-years"]))
      await heading(chat).waitFor()
      expect(await band(chat)).toEqual([])
      expect(await chat.view.getByText("usual range").count()).toBe(0)
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

  test("gets the new size when the view's width changes, and does not drive it in circles", async () => {
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
