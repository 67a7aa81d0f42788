// Rows of intervals.icu that tests change and store.
import type { WireWellness } from "@restwell/simulator"

/** A date of which the training model alone knows something. */
export const EMPTY_WELLNESS: WireWellness = {
  id: "2026-11-19",
  updated: "2026-11-19T08:00:00.000+00:00",
  sleepSecs: null,
  sleepScore: null,
  restingHR: null,
  hrv: null,
  hrvSDNN: null,
  spO2: null,
  steps: null,
  weight: null,
  tempWeight: false,
  tempRestingHR: false,
  comments: null,
  menstrualPhase: null,
  ctl: 30,
  atl: 40,
  sportInfo: [],
}
