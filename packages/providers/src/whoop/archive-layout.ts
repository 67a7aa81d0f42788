// The four tables of WHOOP's data export. Their columns have fixed places in every language.
// https://support.whoop.com "How to export your data"

const CYCLE = ["cycle_start", "cycle_end", "time_zone"] as const
const SLEEP = [
  "sleep_onset",
  "wake_onset",
  "performance",
  "respiratory_rate",
  "asleep_minutes",
  "in_bed_minutes",
  "light_minutes",
  "deep_minutes",
  "rem_minutes",
  "awake_minutes",
  "need_minutes",
  "debt_minutes",
  "efficiency",
  "consistency",
] as const
const EFFORT = ["strain", "calories", "max_heart_rate", "average_heart_rate"] as const
const ZONES = ["zone_1", "zone_2", "zone_3", "zone_4", "zone_5"] as const

/** The columns of each table, in WHOOP's order. `optional` ones are the last, and some exports lack them. */
export const TABLES = {
  cycles: {
    required: [...CYCLE, "recovery", "resting_heart_rate", "hrv", "skin_temp", "spo2", ...EFFORT, ...SLEEP],
    optional: [],
  },
  sleeps: { required: [...CYCLE, ...SLEEP, "nap"], optional: [] },
  workouts: {
    required: [...CYCLE, "workout_start", "workout_end", "minutes", "activity", ...EFFORT, ...ZONES],
    optional: ["gps", "distance", "altitude_gain", "altitude_change"],
  },
  journal: { required: [...CYCLE, "question", "answer"], optional: ["notes"] },
} as const satisfies Readonly<Record<string, { required: readonly string[]; optional: readonly string[] }>>

export type TableName = keyof typeof TABLES
export const TABLE_NAMES = ["cycles", "sleeps", "workouts", "journal"] as const satisfies readonly TableName[]

/** The English headers, as letters and digits. */
const ENGLISH: ReadonlyMap<string, string> = new Map([
  ["cyclestarttime", "cycle_start"],
  ["cycleendtime", "cycle_end"],
  ["cycletimezone", "time_zone"],
  ["recoveryscore", "recovery"],
  ["restingheartratebpm", "resting_heart_rate"],
  ["heartratevariabilityms", "hrv"],
  ["skintempcelsius", "skin_temp"],
  ["bloodoxygen", "spo2"],
  ["daystrain", "strain"],
  ["activitystrain", "strain"],
  ["energyburnedcal", "calories"],
  ["maxhrbpm", "max_heart_rate"],
  ["averagehrbpm", "average_heart_rate"],
  ["sleeponset", "sleep_onset"],
  ["wakeonset", "wake_onset"],
  ["sleepperformance", "performance"],
  ["respiratoryraterpm", "respiratory_rate"],
  ["asleepdurationmin", "asleep_minutes"],
  ["inbeddurationmin", "in_bed_minutes"],
  ["lightsleepdurationmin", "light_minutes"],
  ["deepswsdurationmin", "deep_minutes"],
  ["remdurationmin", "rem_minutes"],
  ["awakedurationmin", "awake_minutes"],
  ["sleepneedmin", "need_minutes"],
  ["sleepdebtmin", "debt_minutes"],
  ["sleepefficiency", "efficiency"],
  ["sleepconsistency", "consistency"],
  ["nap", "nap"],
  ["workoutstarttime", "workout_start"],
  ["workoutendtime", "workout_end"],
  ["durationmin", "minutes"],
  ["activityname", "activity"],
  ...ZONES.map((zone) => [`hr${zone.replace("_", "")}`, zone] as const),
  ["gpsenabled", "gps"],
  ["distancemeters", "distance"],
  ["altitudegainmeters", "altitude_gain"],
  ["altitudechangemeters", "altitude_change"],
  ["questiontext", "question"],
  ["answeredyes", "answer"],
  ["answeredyesno", "answer"],
  ["notes", "notes"],
])

/** Which table a file is, and the place of each column. */
export interface Layout {
  readonly table: TableName
  readonly columns: ReadonlyMap<string, number>
}

/** Returns the layout of a file from its header and some of its rows. Undefined if it is none of WHOOP's tables. */
export function recognizeLayout(header: readonly string[], rows: readonly (readonly string[])[]): Layout | undefined {
  return byName(header) ?? byPosition(header, rows)
}

/** English headers may be in any order and spelling: `Cycle start time`, `cycle_start_time`. */
function byName(header: readonly string[]): Layout | undefined {
  const columns = new Map<string, number>()
  for (const [index, title] of header.entries()) {
    const column = ENGLISH.get(title.toLowerCase().replaceAll(/[^a-z0-9]/g, ""))
    if (column !== undefined && !columns.has(column)) columns.set(column, index)
  }
  const table = TABLE_NAMES.find((name) => TABLES[name].required.every((column) => columns.has(column)))
  return table && { table, columns }
}

/** Every other language is recognised by the number of columns and the shape of their values. */
function byPosition(header: readonly string[], rows: readonly (readonly string[])[]): Layout | undefined {
  const table = TABLE_NAMES.find((name) => {
    const { required, optional } = TABLES[name]
    const isLongEnough = header.length >= required.length
    if (rows.length === 0) return isLongEnough && header.length <= required.length + optional.length
    const fitting = rows.filter((cells) => cells.length >= required.length && SHAPES[name](cells))
    return isLongEnough && fitting.length * 2 > rows.length
  })
  if (table === undefined) return undefined
  const titles = [...TABLES[table].required, ...TABLES[table].optional].slice(0, header.length)
  return { table, columns: new Map(titles.map((column, index) => [column, index])) }
}

const TIME = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/
const ZONE = /^(?:utc|gmt)|^z$|^[+-]\d/i
const NUMBER = /^-?\d+(?:\.\d+)?$/
const isBlankOr = (shape: RegExp, cell = ""): boolean => cell.trim() === "" || shape.test(cell.trim())

/** The first three columns are the same in all tables. */
const isOfCycle = ([start = "", end, zone = ""]: readonly string[]): boolean =>
  TIME.test(start.trim()) && isBlankOr(TIME, end) && ZONE.test(zone.trim())

const isNumbers = (cells: readonly string[]): boolean => cells.every((cell) => isBlankOr(NUMBER, cell))
const isTimes = (cells: readonly string[]): boolean => cells.every((cell) => TIME.test(cell.trim()))

const SHAPES: Readonly<Record<TableName, (cells: readonly string[]) => boolean>> = {
  cycles: (cells) => isOfCycle(cells) && isNumbers(cells.slice(3, 12)) && isNumbers(cells.slice(14, 26)),
  sleeps: (cells) => isOfCycle(cells) && isTimes(cells.slice(3, 5)) && isNumbers(cells.slice(5, 17)),
  workouts: (cells) => isOfCycle(cells) && isTimes(cells.slice(3, 5)) && isNumbers(cells.slice(7, 16)),
  journal: (cells) => isOfCycle(cells) && cells.length <= 6 && !isBlankOr(NUMBER, cells[3]),
}

const SPREADSHEET_TIME = /^"?\d{1,2}[./-]\d{1,2}[./-]\d{2,4}/

/** True for a file that a spreadsheet program saved again: other separators, or dates in a country's order. */
export function isSavedBySpreadsheet(header: readonly string[], rows: readonly (readonly string[])[]): boolean {
  const isOneColumn = header.length <= 2 && /[;\t]|^sep=/i.test(header.join(","))
  return isOneColumn || rows.filter(([start = ""]) => SPREADSHEET_TIME.test(start.trim())).length * 2 > rows.length
}
