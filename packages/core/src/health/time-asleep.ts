import type { SleepStages } from "@restwell/client"

/** Light, deep and REM sleep, milliseconds. Undefined without stages: time in bed is another figure. */
export const asleepMsOf = (stages: SleepStages | undefined): number | undefined =>
  stages && stages.lightMs + stages.deepMs + stages.remMs
