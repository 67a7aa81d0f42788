/** The figures of a person that Home Assistant shows: which there are, how it classifies them, and their values of a date. */
import { type HrvMethod, HrvMethodSchema, METRIC_IDS, type MetricId, type TrendDay } from "@restwell/client"
import { entryOf, type MetricDescription, metricNamed, ofSource, sourceName, unitText } from "@restwell/client/figures"
import { z } from "zod"

/** How Home Assistant classifies a figure. https://www.home-assistant.io/integrations/sensor/#device-class */
interface FigureClass {
  readonly metric: MetricId
  /** Of the device classes whose units the figure has. Energy would list it on the dashboard of the house's electricity. */
  readonly deviceClass?: "duration" | "weight"
  /** `total_increasing` grows during the day and starts again. https://developers.home-assistant.io/docs/core/entity/sensor/#long-term-statistics */
  readonly stateClass: "measurement" | "total_increasing"
  /** Of units that Home Assistant converts, else null. https://developers.home-assistant.io/blog/2025/10/16/recorder-statistics-api-changes */
  readonly unitClass: "duration" | "mass" | "temperature_delta" | "unitless" | null
  readonly icon: string
}

const hoursOf = (metric: MetricId, icon: string) =>
  ({ metric, deviceClass: "duration", stateClass: "measurement", unitClass: "duration", icon }) as const

const percentOf = (metric: MetricId, icon: string) =>
  ({ metric, stateClass: "measurement", unitClass: "unitless", icon }) as const

const levelOf = (metric: MetricId, icon: string) =>
  ({ metric, stateClass: "measurement", unitClass: null, icon }) as const

/** In the order in which Home Assistant creates them. */
const CLASSES: readonly FigureClass[] = [
  hoursOf("asleep", "mdi:sleep"),
  hoursOf("in_bed", "mdi:bed"),
  hoursOf("deep", "mdi:sleep"),
  hoursOf("rem", "mdi:sleep"),
  hoursOf("light", "mdi:sleep"),
  hoursOf("awake", "mdi:sleep-off"),
  percentOf("sleep_efficiency", "mdi:percent"),
  levelOf("sleep_performance", "mdi:bed-clock"),
  levelOf("recovery_score", "mdi:battery-heart-variant"),
  levelOf("hrv", "mdi:heart-flash"),
  levelOf("resting_heart_rate", "mdi:heart-pulse"),
  levelOf("respiratory_rate", "mdi:lungs"),
  percentOf("spo2", "mdi:water-percent"),
  { metric: "skin_temp_deviation", stateClass: "measurement", unitClass: "temperature_delta", icon: "mdi:thermometer" },
  levelOf("strain", "mdi:arm-flex"),
  { metric: "steps", stateClass: "total_increasing", unitClass: null, icon: "mdi:walk" },
  { metric: "calories", stateClass: "total_increasing", unitClass: null, icon: "mdi:fire" },
  { metric: "weight", deviceClass: "weight", stateClass: "measurement", unitClass: "mass", icon: "mdi:scale-bathroom" },
]

/** A figure with a name of its own in Home Assistant. Scores of different vendors, and HRV of different methods, are different figures. */
export const HomeFigureSchema = z.object({
  /** Of letters, digits and single underscores, as in `whoop_recovery_score`. It is part of identifiers, and never changes. */
  key: z.string(),
  metric: z.enum(METRIC_IDS),
  /** Of a score. Null for figures that every source measures in one unit. */
  source: z.string().nullable(),
  method: HrvMethodSchema.nullable(),
})

export type HomeFigure = Readonly<z.infer<typeof HomeFigureSchema>>

/** A value of a date and where it is from. */
export interface HomeValue {
  readonly figure: HomeFigure
  /** Null where there is none. */
  readonly value: number | null
  readonly source: string
  /** The person's usual range. */
  readonly usual: { readonly low: number; readonly high: number } | null
}

/** Of a vendor's own scale: a person reads Oura's readiness and WHOOP's recovery as two things. */
const isScore = (metric: MetricId): boolean => metric === "strain" || entryOf(metricNamed(metric)).isScore === true

function figureOf(metric: MetricId, source: string, method: HrvMethod | null = null): HomeFigure {
  if (isScore(metric)) return { key: `${source}_${metric}`, metric, source, method: null }
  return { key: method === null ? metric : `${metric}_${method}`, metric, source: null, method }
}

type Found = readonly [metric: MetricId, value: number | null, usual?: TrendDay["hrv_band"], method?: HrvMethod | null]

/** Every figure of the records of a date. Null is a figure that the record lacks. */
export function valuesOf(day: TrendDay): readonly HomeValue[] {
  const { sleep, recovery, strain } = day
  const found = (source: string, figures: readonly Found[]): HomeValue[] =>
    figures.map(([metric, value, usual = null, method = null]) => ({
      figure: figureOf(metric, source, method),
      value,
      source,
      usual,
    }))
  return [
    ...(sleep
      ? found(sleep.source, [
          ["asleep", sleep.asleep_hours, day.asleep_band],
          ["in_bed", sleep.duration_hours],
          ["deep", sleep.deep_hours],
          ["rem", sleep.rem_hours],
          ["light", sleep.light_hours],
          ["awake", sleep.awake_hours],
          ["sleep_efficiency", sleep.efficiency],
          ["sleep_performance", sleep.performance],
          ["respiratory_rate", sleep.respiratory_rate, day.respiratory_rate_band],
        ])
      : []),
    ...(recovery
      ? found(recovery.source, [
          ["recovery_score", recovery.score, day.recovery_score_band],
          ["hrv", recovery.hrv, day.hrv_band, recovery.hrv_method],
          ["resting_heart_rate", recovery.resting_heart_rate, day.resting_heart_rate_band],
          ["spo2", recovery.spo2, day.spo2_band],
          ["skin_temp_deviation", recovery.skin_temp_deviation_celsius, day.skin_temp_deviation_band],
        ])
      : []),
    ...(strain
      ? found(strain.source, [
          ["strain", strain.strain],
          ["steps", strain.steps],
          ["calories", strain.calories],
        ])
      : []),
  ]
}

/** A weight of a date. */
export const weightOf = (source: string, value: number): HomeValue => ({
  figure: figureOf("weight", source),
  value,
  source,
  usual: null,
})

/** The figures that have a value, each once, in the order of Home Assistant's list. @param known figures that were there before */
export function figuresOf(values: readonly HomeValue[], known: readonly HomeFigure[] = []): readonly HomeFigure[] {
  const all = [...known, ...values.filter(({ value }) => value !== null).map(({ figure }) => figure)]
  const byKey = new Map(all.map((figure) => [figure.key, figure]))
  const order = (one: HomeFigure) => CLASSES.findIndex(({ metric }) => metric === one.metric)
  return [...byKey.values()].toSorted((one, other) => order(one) - order(other) || (one.key < other.key ? -1 : 1))
}

function classOf(metric: MetricId): FigureClass {
  const found = CLASSES.find((one) => one.metric === metric)
  if (!found) throw new Error(`no class of ${metric} for Home Assistant`)
  return found
}

/** What a figure is called, its unit as Home Assistant writes it, and its classes. */
export function describe({ metric, source, method }: HomeFigure) {
  const known: MetricDescription = metricNamed(metric)
  const own = source === null ? known : ofSource(known, source)
  const title = source === null ? own.title : `${sourceName(source)} ${own.title.toLowerCase()}`
  const { deviceClass = null, stateClass, unitClass, icon } = classOf(metric)
  return {
    name: method === "sdnn" ? `${title} (SDNN)` : title,
    unit: own.unit === null ? null : unitText(own.unit),
    // A vendor's percentage, others' points.
    unitClass: own.unit === "%" ? "unitless" : unitClass,
    decimals: own.decimals,
    deviceClass,
    stateClass,
    icon,
  } as const
}
