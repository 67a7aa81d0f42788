/**
 * What Home Assistant accepts of a device's discovery message and its states, as its source checks them.
 * https://github.com/home-assistant/core/blob/dev/homeassistant/components/mqtt/schemas.py (device, origin, availability, components)
 * https://github.com/home-assistant/core/blob/dev/homeassistant/components/mqtt/sensor.py, event.py (entities)
 * https://github.com/home-assistant/core/blob/dev/homeassistant/components/sensor/const.py (classes and their units)
 */
import { z } from "zod"

/** A topic without wildcards, as `valid_publish_topic`. */
const topic = z
  .string()
  .min(1)
  .max(65_535)
  .regex(/^[^#+\0]+$/)
const template = z.string().regex(/^\{\{ .+ \}\}$/)

/** `DEVICE_CLASS_UNITS` and `DEVICE_CLASS_STATE_CLASSES` of the classes that Restwell uses. */
const DEVICE_CLASSES: Readonly<
  Record<string, { readonly units: readonly (string | undefined)[]; readonly states: readonly string[] }>
> = {
  duration: { units: ["d", "h", "min", "s", "ms", "μs"], states: ["measurement", "total", "total_increasing"] },
  weight: { units: ["kg", "g", "mg", "μg", "oz", "lb", "st"], states: ["measurement"] },
  timestamp: { units: [undefined], states: [] },
}

const entity = {
  unique_id: z.string().min(1),
  name: z.string().nullable(),
  icon: z.string().regex(/^mdi:[a-z0-9-]+$/),
  entity_category: z.enum(["config", "diagnostic"]).optional(),
  state_topic: topic,
  value_template: template.optional(),
  json_attributes_topic: topic.optional(),
  json_attributes_template: template.optional(),
}

const SensorSchema = z
  .strictObject({
    ...entity,
    platform: z.literal("sensor"),
    device_class: z.enum(["duration", "weight", "timestamp"]).optional(),
    state_class: z.enum(["measurement", "total", "total_increasing"]).optional(),
    unit_of_measurement: z.string().optional(),
    suggested_display_precision: z.int().min(0).optional(),
  })
  .refine(({ device_class: name, unit_of_measurement: unit, state_class: state }) => {
    const known = name === undefined ? undefined : DEVICE_CLASSES[name]
    return !known || (known.units.includes(unit) && (state === undefined || known.states.includes(state)))
  }, "unit or state class is not one of the device class")

const EventSchema = z.strictObject({
  ...entity,
  platform: z.literal("event"),
  event_types: z.array(z.string()).min(1),
})

/** `DEVICE_DISCOVERY_SCHEMA`, strictly: Home Assistant ignores what it does not know, a misspelled option too. */
export const DiscoverySchema = z.strictObject({
  device: z.strictObject({
    identifiers: z.array(z.string()).min(1),
    name: z.string(),
    manufacturer: z.string(),
    model: z.string(),
    sw_version: z.string(),
    configuration_url: z.url({ protocol: /^https?$/ }),
  }),
  origin: z.strictObject({ name: z.string(), sw_version: z.string(), support_url: z.url() }),
  availability: z.array(z.strictObject({ topic })).min(1),
  qos: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  components: z.record(
    // Part of a discovery hash, as an object id: `TOPIC_MATCHER` of discovery.py.
    z.string().regex(/^[a-zA-Z0-9_-]+$/),
    z.discriminatedUnion("platform", [SensorSchema, EventSchema]),
  ),
})

/** An event: the type, and attributes. */
export const EventPayloadSchema = z.looseObject({ event_type: z.string() })

export type Discovery = z.infer<typeof DiscoverySchema>

/** What Home Assistant shows of each sensor: templates of one name are looked up as Jinja does, and `None` is unknown. */
export function statesIn({ components }: Discovery, state: string): Readonly<Record<string, unknown>> {
  const json = z.record(z.string(), z.unknown()).parse(JSON.parse(state))
  return Object.fromEntries(
    Object.entries(components).flatMap(([key, { platform, value_template: own }]) => {
      if (platform !== "sensor") return []
      const [, name = ""] = /^\{\{ value_json\.(\w+) \}\}$/.exec(own ?? "") ?? []
      if (!(name in json)) throw new Error(`the state of ${key} is not in the message`)
      return [[key, json[name] ?? "unknown"]]
    }),
  )
}
