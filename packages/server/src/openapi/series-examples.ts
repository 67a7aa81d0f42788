import type { PointSeries, Source, StageSeries } from "@restwell/client"

const source: Source = { provider: "oura", status: "ok", last_synced_at: "2026-11-20T07:02:11.000Z" }
const envelope = { method: null, empty_reason: null, notes: [], source, sources: [source] }
const day = { start: "2026-11-19T23:00:00.000Z", end: "2026-11-20T23:00:00.000Z" }

const raw: PointSeries = {
  type: "heart_rate",
  unit: "bpm",
  resolution: "raw",
  ...day,
  points: [{ time: "2026-11-20T02:10:00.000Z", value: 52, duration_seconds: 300 }],
  count: 1,
  ...envelope,
}
const hourly: PointSeries = {
  type: "heart_rate",
  unit: "bpm",
  resolution: "1h",
  ...day,
  points: [{ start: "2026-11-20T02:00:00.000Z", n: 12, mean: 52.4, min: 49, max: 58 }],
  count: 1,
  ...envelope,
}
const steps: PointSeries = {
  type: "steps",
  unit: "count",
  resolution: "1d",
  ...day,
  points: [{ start: "2026-11-19T23:00:00.000Z", date: "2026-11-20", n: 310, sum: 8342 }],
  count: 1,
  ...envelope,
}
const stages: StageSeries = {
  type: "sleep_stages",
  unit: "stage",
  resolution: "raw",
  ...day,
  segments: [{ start: "2026-11-19T23:31:00.000Z", end: "2026-11-19T23:46:00.000Z", stage: "light" }],
  count: 1,
  ...envelope,
}

/** One answer of each shape, as `examples` of the description and of the reference. */
export const SERIES_EXAMPLES: Readonly<Record<string, { summary: string; value: PointSeries | StageSeries }>> = {
  raw: { summary: "type=heart_rate&resolution=raw", value: raw },
  rates: { summary: "type=heart_rate&resolution=1h", value: hourly },
  sums: { summary: "type=steps&resolution=1d", value: steps },
  stages: { summary: "type=sleep_stages", value: stages },
}
