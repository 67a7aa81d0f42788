import type { SleepStages } from "@restwell/client"

/** Light, deep and REM sleep, milliseconds. Null without stages: time in bed is another figure. */
export const asleepMsOf = (stages: SleepStages | null): number | null =>
  stages && stages.lightMs + stages.deepMs + stages.remMs
