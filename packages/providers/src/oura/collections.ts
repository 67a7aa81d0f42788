/** The collections that are read, with their fields. Minute-by-minute series are left out: they are nine tenths of the bytes. */
export const FIELDS = {
  sleep: [
    "id",
    "meta",
    "day",
    "type",
    "bedtime_start",
    "bedtime_end",
    "time_in_bed",
    "total_sleep_duration",
    "light_sleep_duration",
    "deep_sleep_duration",
    "rem_sleep_duration",
    "awake_time",
    "efficiency",
    "average_breath",
    "average_hrv",
    "lowest_heart_rate",
    "sleep_phase_5_min",
  ],
  daily_sleep: ["id", "meta", "day", "score"],
  daily_readiness: ["id", "meta", "day", "score", "temperature_deviation"],
  daily_spo2: ["id", "meta", "day", "spo2_percentage"],
  daily_activity: [
    "id",
    "meta",
    "day",
    "timestamp",
    "total_calories",
    "active_calories",
    "steps",
    "equivalent_walking_distance",
  ],
  workout: ["id", "meta", "day", "activity", "start_datetime", "end_datetime", "calories", "distance"],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** The collections that are listed. Comments of tags are not asked for. */
export const LISTED_FIELDS = {
  ...FIELDS,
  enhanced_tag: ["id", "tag_type_code", "start_time", "custom_name"],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Collections that records are made of. */
export type OuraCollection = keyof typeof FIELDS
export const COLLECTIONS: readonly OuraCollection[] = [
  "sleep",
  "daily_sleep",
  "daily_readiness",
  "daily_spo2",
  "daily_activity",
  "workout",
]
export type ListedCollection = keyof typeof LISTED_FIELDS

/** Names a document that is a part of a record. */
export const partId = (collection: OuraCollection, id: string): string => `${collection}.${id}`
