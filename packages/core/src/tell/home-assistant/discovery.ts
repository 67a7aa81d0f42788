/**
 * What Home Assistant's MQTT integration is told of a person: one device with its entities, their state, and the event of a scored night.
 * https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery
 */
import type { DayResponse, TrendDay } from "@restwell/client"
import { describe, figuresOf, type HomeFigure, type HomeValue, valuesOf } from "./figures.ts"

/** Home Assistant's own prefix, unless its owner changes it. Its birth message comes there too. */
const PREFIX = "homeassistant"

/** Where Home Assistant says `online` after its start. https://www.home-assistant.io/integrations/mqtt/#birth-and-last-will-messages */
export const BIRTH_TOPIC = `${PREFIX}/status`

/** Whether the service is connected to the broker: `online`, or `offline` by its last will. @param installation sets those of one broker apart */
export const availabilityTopic = (installation: string): string => `restwell/${installation}/status`

/** The topics of a device. State and discovery are retained. An event that is retained, Home Assistant does not fire. */
export const topicsOf = (device: string) => ({
  discovery: `${PREFIX}/device/restwell_${device}/config`,
  state: `restwell/${device}/state`,
  event: `restwell/${device}/night_scored`,
})

const NIGHT_SCORED = "night_scored"

interface DiscoveryOptions {
  readonly device: string
  readonly installation: string
  /** The person's name. */
  readonly name: string
  readonly figures: readonly HomeFigure[]
  /** The version of Restwell. */
  readonly version: string
  /** Where people reach Restwell. */
  readonly baseUrl: string
}

/** Times beside the figures, as `state` has them. */
const TIMES = [
  { key: "fell_asleep", name: "Bedtime", icon: "mdi:bed-clock" },
  { key: "woke", name: "Wake time", icon: "mdi:weather-sunset-up" },
  { key: "night_arrived", name: "Night arrived", icon: "mdi:clock-check", category: "diagnostic" },
  { key: "last_sync", name: "Last sync", icon: "mdi:sync", category: "diagnostic" },
] as const

/** The discovery message of a device. https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload */
export function discoveryOf({ device, installation, name, figures, version, baseUrl }: DiscoveryOptions) {
  const { state, event } = topicsOf(device)
  const idOf = (key: string) => `restwell_${device}_${key}`
  const sensor = (key: string, more: Readonly<Record<string, unknown>>) => [
    key,
    {
      platform: "sensor",
      unique_id: idOf(key),
      state_topic: state,
      value_template: `{{ value_json.${key} }}`,
      ...more,
    },
  ]
  return {
    device: {
      identifiers: [`restwell_${device}`],
      name: `Restwell ${name}`,
      manufacturer: "Restwell",
      model: "Wearable data",
      sw_version: version,
      configuration_url: baseUrl,
    },
    origin: { name: "Restwell", sw_version: version, support_url: baseUrl },
    availability: [{ topic: availabilityTopic(installation) }],
    qos: 1,
    components: Object.fromEntries([
      ...figures.map((figure) => {
        const { name: title, unit, decimals, deviceClass, stateClass, icon } = describe(figure)
        return sensor(figure.key, {
          name: title,
          icon,
          state_class: stateClass,
          suggested_display_precision: decimals,
          ...(unit !== null && { unit_of_measurement: unit }),
          ...(deviceClass !== null && { device_class: deviceClass }),
          json_attributes_topic: state,
          json_attributes_template: `{{ value_json.attributes.${figure.key} | tojson }}`,
        })
      }),
      ...TIMES.map(({ key, name: title, icon, ...more }) =>
        sensor(key, {
          name: title,
          icon,
          device_class: "timestamp",
          ...("category" in more && { entity_category: more.category }),
        }),
      ),
      sensor("unusual_figures", {
        name: "Unusual figures",
        icon: "mdi:alert-circle-outline",
        json_attributes_topic: state,
        json_attributes_template: "{{ value_json.attributes.unusual_figures | tojson }}",
      }),
      [
        NIGHT_SCORED,
        {
          platform: "event",
          unique_id: idOf(NIGHT_SCORED),
          name: "Night scored",
          icon: "mdi:weather-night",
          state_topic: event,
          event_types: [NIGHT_SCORED],
        },
      ],
    ]),
  }
}

interface StateOptions {
  /** The person's day of today with its row. */
  readonly day: Pick<DayResponse, "today" | "rows" | "signs" | "figures_date" | "sources">
  /** The newest weight of today or the dates before, with its date. */
  readonly weight: { readonly date: string; readonly value: HomeValue } | null
  readonly figures: readonly HomeFigure[]
  /** When the night of today came. Null without one. */
  readonly arrivedAt: Date | null
}

/** Today's row. Undefined for a person without a source. */
export const todayOf = ({ today, rows }: Pick<DayResponse, "today" | "rows">): TrendDay | undefined =>
  rows.find(({ date }) => date === today)

/**
 * The state of all entities: the figures of today's date, and null where there is none, which Home Assistant shows as unknown. A night of
 * yesterday is never today's: from midnight on its figures are unknown until the next night is scored.
 */
export function stateOf({ day, weight, figures, arrivedAt }: StateOptions) {
  const row = todayOf(day)
  const values = new Map((row ? valuesOf(row) : []).map((value) => [value.figure.key, { date: day.today, value }]))
  if (weight) values.set(weight.value.figure.key, weight)
  const night = row?.sleep ?? null
  const isChecked = day.figures_date === day.today
  const synced = day.sources.map(({ last_synced_at: at }) => at).filter((at) => at !== null)
  return {
    ...Object.fromEntries(figures.map(({ key }) => [key, values.get(key)?.value.value ?? null])),
    fell_asleep: night?.start_local ?? null,
    woke: night?.end_local ?? null,
    night_arrived: night && arrivedAt ? arrivedAt.toISOString() : null,
    last_sync: synced.toSorted().at(-1) ?? null,
    unusual_figures: isChecked ? day.signs.length : null,
    attributes: {
      ...Object.fromEntries(figures.map(({ key }) => [key, attributesOf(values.get(key))])),
      unusual_figures: {
        figures: isChecked
          ? day.signs.map(({ metric, value, unit, direction, usual: { low, high } }) => {
              return { metric, value, unit, direction, usual_low: low, usual_high: high }
            })
          : [],
      },
    },
  }
}

function attributesOf(dated: { readonly date: string; readonly value: HomeValue } | undefined) {
  if (!dated || dated.value.value === null) return {}
  const { source, usual } = dated.value
  return { date: dated.date, source, ...(usual && { usual_low: usual.low, usual_high: usual.high }) }
}

/** The event of a scored night: when the person woke, and when Restwell had the score. https://www.home-assistant.io/integrations/event.mqtt/ */
export function nightEventOf(row: TrendDay, arrivedAt: Date) {
  if (!row.sleep) return undefined
  const { end, end_local: woke, asleep_hours, source } = row.sleep
  return {
    event_type: NIGHT_SCORED,
    date: row.date,
    source,
    woke_at: woke,
    arrived_at: arrivedAt.toISOString(),
    delay_minutes: Math.max(0, Math.round((arrivedAt.getTime() - Date.parse(end)) / 60_000)),
    asleep_hours,
    recovery_score: row.recovery?.score ?? null,
  }
}

/** The figures of a person by the rows of the last weeks. */
export const presentFigures = (
  rows: readonly TrendDay[],
  weight: StateOptions["weight"],
  known: readonly HomeFigure[],
): readonly HomeFigure[] => figuresOf([...rows.flatMap(valuesOf), ...(weight ? [weight.value] : [])], known)
