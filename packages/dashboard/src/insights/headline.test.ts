import { metricNamed } from "@restwell/client/figures"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { createElement, type ReactElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, test } from "vitest"
import { trendChart } from "../../../../test/chat/example-trends.ts"
import { trendBuckets, trendLegend } from "../metrics/trend-chart.tsx"
import { ChangeHeadline, StatisticsOf } from "./headline.tsx"
import { noteText } from "./notes.tsx"

const METRIC = { ...metricNamed("hrv"), sources: ["whoop"], first_date: null, last_date: null, n: 400 }

const rendered = (element: ReactElement): string =>
  renderToStaticMarkup(createElement(QueryClientProvider, { client: new QueryClient() }, element)).replaceAll(
    /<[^>]+>/g,
    " ",
  )

test("a date of another year than that of the answer's end has its year, wherever it is written", () => {
  const chart = trendChart({
    days: 90,
    has: (daysAgo) => daysAgo >= 40,
    answer: {
      period: { start_date: "2026-10-20", end_date: "2027-01-20", days: 93 },
      highest: [{ date: "2026-11-02", value: 99 }],
      lowest: [{ date: "2027-01-09", value: 31 }],
      latest: { date: "2026-12-30", value: 64 },
      usual: { low: 60, high: 70, n: 30 },
      points: [
        ["2026-10-22", 60],
        ["2026-11-02", 99],
        ["2026-12-30", 64],
      ],
    },
  })
  const { answer } = chart
  const facts = rendered(createElement(StatisticsOf, { metric: METRIC, answer }))
  expect(facts).toContain("99.0 ms on Nov 2, 2026")
  expect(facts).toContain("31.0 ms on Jan 9 ")
  const change = rendered(createElement(ChangeHeadline, { metric: METRIC, answer }))
  expect(change).toContain("on Dec 30, 2026")
  expect(change).toContain("since Oct 22, 2026, of 3 values")
  expect(trendLegend(chart, trendBuckets(chart)).map(({ label }) => label)).toContain(
    "usual range on Dec 30, 2026, of 30 values before it",
  )
  expect(noteText("HRV before 2026-11-30 is not scored. So is that of 2027-01-03.", "2027-01-20")).toBe(
    "HRV before Nov 30, 2026 is not scored. So is that of Jan 3.",
  )
})
