import { useBrowser } from "@restwell/testing/browser"
import { describe, expect, test } from "vitest"
import { type Chat, useChats } from "./chat.ts"
import { EXAMPLE_CHARTS, resultWith } from "./example-charts.ts"

const { inChat, show } = useChats(useBrowser())

describe("values within the day", () => {
  const read = async (chat: Chat, key: "Home" | "End"): Promise<string | null> => {
    const slider = chat.view.getByRole("slider")
    await slider.focus()
    await chat.page.keyboard.press(key)
    return slider.getAttribute("aria-valuetext")
  }

  test("are read hour by hour, with the lowest and the highest, and have a table", async () => {
    await inChat({}, async (chat) => {
      await chat.result(resultWith(EXAMPLE_CHARTS["series-day"]))
      const sentence = "Lowest 49.4 bpm at 04:00, highest 102.1 bpm at 13:00. 24 hours with values."
      await chat.view.getByText(sentence, { exact: true }).waitFor()
      const [first] = EXAMPLE_CHARTS["series-day"].points
      const bpm = (value = Number.NaN) => `${value.toFixed(1)} bpm`
      expect(await read(chat, "Home")).toBe(`00:00: ${bpm(first?.value)}, ${bpm(first?.low)} to ${bpm(first?.high)}`)
      await chat.view.getByRole("button", { name: "Table" }).click()
      const row = ["00:00", bpm(first?.value), bpm(first?.low), bpm(first?.high)].join("\t")
      expect(await chat.view.getByRole("row").nth(1).innerText()).toBe(row)
    })
  })

  test("end where hours have no values, and go on to the 25th hour", async () => {
    await inChat({}, async (chat) => {
      await show(chat, EXAMPLE_CHARTS["series-quarters-12h"])
      await expect.poll(() => chat.view.locator("svg path.stroke-heart").count()).toBe(2)
      expect(await read(chat, "End")).toMatch(/^11:45 PM: /)
      await show(chat, EXAMPLE_CHARTS["series-25-hours"])
      expect(await read(chat, "End")).toMatch(/^24:00: /)
    })
  })

  test("are columns with their sum where they add up, and single ones of weights", async () => {
    await inChat({}, async (chat) => {
      await show(chat, EXAMPLE_CHARTS["series-steps"])
      const { points } = EXAMPLE_CHARTS["series-steps"]
      await expect.poll(() => chat.view.locator("svg rect").count()).toBe(points.length)
      const sum = points.reduce((total, { value }) => total + value, 0)
      await chat.view.getByText(`${sum.toLocaleString("en")} in all, most `).waitFor()
      await show(chat, EXAMPLE_CHARTS["series-weights"])
      await chat.view.getByText(/^From 72\.\d kg at Sep 2, 06:10 UTC to 70\.\d kg at Nov 21, 06:10 UTC\.$/).waitFor()
      await expect.poll(() => chat.view.locator("svg circle").count()).toBe(7)
    })
  })

  test("are the stages of the newest night, and in the table those of the nap too", async () => {
    await inChat({}, async (chat) => {
      await show(chat, EXAMPLE_CHARTS["series-stages"])
      await chat.view.getByText("7 h 00 min asleep from 23:20 to 07:02 local time.", { exact: true }).waitFor()
      expect(await read(chat, "Home")).toBe("23:20 to 00:02: Light, 42 min")
      await chat.view.getByRole("button", { name: "Table" }).click()
      expect(await chat.view.getByRole("row").nth(1).innerText()).toBe("Nov 20, 14:02\tLight\t32 min")
    })
  })
})
