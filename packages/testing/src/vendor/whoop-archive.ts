// WHOOP's data export of a simulated person, written as the app writes it.
import { MINUTE_MS } from "@restwell/client/time-units"
import { type WireCycle, type WireRecords, type WireSleep, type WireWorkout, zipOf } from "@restwell/simulator"

/** WHOOP's headers. Their order is the same in every language. */
const CYCLE = "Cycle start time,Cycle end time,Cycle timezone"
const SLEEP =
  "Sleep onset,Wake onset,Sleep performance %,Respiratory rate (rpm),Asleep duration (min),In bed duration (min)," +
  "Light sleep duration (min),Deep (SWS) duration (min),REM duration (min),Awake duration (min),Sleep need (min)," +
  "Sleep debt (min),Sleep efficiency %,Sleep consistency %"
const ENGLISH = {
  cycles:
    `${CYCLE},Recovery score %,Resting heart rate (bpm),Heart rate variability (ms),Skin temp (celsius),Blood oxygen %,` +
    `Day Strain,Energy burned (cal),Max HR (bpm),Average HR (bpm),${SLEEP}`,
  sleeps: `${CYCLE},${SLEEP},Nap`,
  workouts:
    `${CYCLE},Workout start time,Workout end time,Duration (min),Activity name,Activity Strain,Energy burned (cal),Max HR (bpm),` +
    "Average HR (bpm),HR Zone 1 %,HR Zone 2 %,HR Zone 3 %,HR Zone 4 %,HR Zone 5 %,GPS enabled",
  journal: `${CYCLE},Question text,Answered yes,Notes`,
}

const CICLO = "Hora de inicio del ciclo,Hora de finalización del ciclo,Zona horaria del ciclo"
const SUENO =
  "Inicio del sueño,Hora de despertar,Rendimiento del sueño %,Frecuencia respiratoria (rpm),Duración del sueño (min)," +
  "Duración en la cama (min),Duración del sueño ligero (min),Duración del sueño profundo (min),Duración de REM (min)," +
  "Duración despierto (min),Necesidad de sueño (min),Deuda de sueño (min),Eficiencia del sueño %,Consistencia del sueño %"
const SPANISH = {
  cycles:
    `${CICLO},Puntuación de recuperación %,Frecuencia cardíaca en reposo (lpm),Variabilidad (ms),Temp. de la piel (Celsius),` +
    `Oxígeno en sangre %,Esfuerzo del día,Energía quemada (cal),FC máx. (lpm),FC media (lpm),${SUENO}`,
  sleeps: `${CICLO},${SUENO},Siesta`,
  workouts:
    `${CICLO},Inicio del entrenamiento,Fin del entrenamiento,Duración (min),Nombre de la actividad,Esfuerzo,Energía quemada (cal),` +
    "FC máx. (lpm),FC media (lpm),Zona 1 %,Zona 2 %,Zona 3 %,Zona 4 %,Zona 5 %,GPS activado",
  journal: `${CICLO},Texto de la pregunta,"Respondió ""Sí""",Notas`,
}

const numbered = (header: string): string =>
  header
    .replaceAll(/"[^"]*(?:""[^"]*)*"/g, "x")
    .split(",")
    .map((_, index) => `列${index + 1}`)
    .join(",")

/** Spellings of the same headers: languages, and what owners of real files made of them. */
export const HEADERS = {
  english: ENGLISH,
  spanish: SPANISH,
  upper_case: mapped(ENGLISH, (header) => header.toUpperCase()),
  snake_case: mapped(ENGLISH, (header) =>
    header
      .split(",")
      .map((title) => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_"))
      .join(","),
  ),
  unknown_language: mapped(ENGLISH, numbered),
} as const satisfies Readonly<Record<string, typeof ENGLISH>>

function mapped(headers: typeof ENGLISH, map: (header: string) => string): typeof ENGLISH {
  return {
    cycles: map(headers.cycles),
    sleeps: map(headers.sleeps),
    workouts: map(headers.workouts),
    journal: map(headers.journal),
  }
}

export type Spelling = keyof typeof HEADERS

/** The optional last columns of the workouts. Their case varies. */
export const TAILS = {
  none: "",
  distance: ",Distance (meters),Altitude gain (meters),Altitude change (meters)",
  lower_case: ",distance (meters),altitude gain (meters),altitude change (meters)",
} as const

const FILE_NAMES: Readonly<Record<"english" | "spanish", Readonly<Record<keyof typeof ENGLISH, string>>>> = {
  english: {
    cycles: "physiological_cycles.csv",
    sleeps: "sleeps.csv",
    workouts: "workouts.csv",
    journal: "journal_entries.csv",
  },
  spanish: {
    cycles: "ciclos_fisiológicos.csv",
    sleeps: "sueño.csv",
    workouts: "entrenamientos.csv",
    journal: "entradas_del_diario.csv",
  },
}

export interface ArchiveVariant {
  /** @default "english" */
  readonly spelling?: Spelling
  /** How the offset is written. @default "UTC+01:00" */
  readonly zone?: "utc" | "gmt"
  /** @default "none" */
  readonly tail?: keyof typeof TAILS
  /** @default "utf8" */
  readonly encoding?: "utf8" | "utf8_bom" | "utf16le" | "utf16be"
  /** @default "\n" */
  readonly lineEnd?: "\n" | "\r\n"
  /** Moves every start by this many milliseconds. */
  readonly shiftMs?: number
  /** Questions of the journal. @default QUESTIONS */
  readonly questions?: readonly string[]
}

export const QUESTIONS = [
  "Have any alcoholic drinks?",
  "Consumed caffeine?",
  "Viewed a screen device in bed?",
  "Engaged in sexual activity?",
  "Took prescription sleep medication?",
  "Read (non-screened device) while in bed?",
] as const

/** Each table as text, before it is encoded. */
export interface ArchiveTables {
  readonly cycles: string
  readonly sleeps: string
  readonly workouts: string
  readonly journal: string
}

/** The archive as a zip file. */
export function whoopArchive(records: WireRecords, variant: ArchiveVariant = {}): Buffer {
  const tables = whoopTables(records, variant)
  const names = FILE_NAMES[variant.spelling === "spanish" ? "spanish" : "english"]
  return zipOf(
    (["cycles", "sleeps", "workouts", "journal"] as const).map((table) => ({
      name: names[table],
      bytes: encodedTable(tables[table], variant),
    })),
  )
}

export function encodedTable(text: string, { encoding = "utf8" }: ArchiveVariant = {}): Buffer {
  if (encoding === "utf8") return Buffer.from(text)
  if (encoding === "utf8_bom") return Buffer.from(`\ufeff${text}`)
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le")
  return encoding === "utf16le" ? bytes : bytes.swap16()
}

export function whoopTables(records: WireRecords, variant: ArchiveVariant = {}): ArchiveTables {
  const { spelling = "english", tail = "none", lineEnd = "\n" } = variant
  const headers = HEADERS[spelling]
  const write = (header: string, rows: readonly (readonly Cell[])[]) =>
    `${[header, ...rows.map((row) => row.map(cellText).join(","))].join(lineEnd)}${lineEnd}`
  const cycles = records.cycles.map((cycle) => ({ cycle, row: cycleStart(cycle, variant) }))
  const cycleOf = (startMs: number) => cycles.find(({ cycle }) => Date.parse(cycle.start) <= startMs) ?? cycles.at(-1)
  const sleeps = new Map(records.sleeps.filter(({ nap }) => !nap).map((sleep) => [sleep.cycle_id, sleep]))
  const recoveries = new Map(records.recoveries.map((recovery) => [recovery.cycle_id, recovery.score]))
  return {
    cycles: write(
      headers.cycles,
      cycles.map(({ cycle, row }) => {
        const recovery = recoveries.get(cycle.id)
        const sleep = sleeps.get(cycle.id)
        return [
          ...row,
          recovery?.recovery_score,
          recovery?.resting_heart_rate,
          recovery?.hrv_rmssd_milli,
          recovery?.skin_temp_celsius,
          recovery?.spo2_percentage,
          ...effortOf(cycle.score),
          ...(sleep ? sleepCells(sleep, cycle, variant) : Array<undefined>(14).fill(undefined)),
        ]
      }),
    ),
    sleeps: write(
      headers.sleeps,
      records.sleeps.flatMap((sleep) => {
        const of = cycles.find(({ cycle }) => cycle.id === sleep.cycle_id) ?? cycleOf(Date.parse(sleep.start))
        return of ? [[...of.row, ...sleepCells(sleep, of.cycle, variant), sleep.nap]] : []
      }),
    ),
    workouts: write(
      `${headers.workouts}${TAILS[tail]}`,
      records.workouts.flatMap((workout) => {
        const of = cycleOf(Date.parse(workout.start))
        return of ? [[...of.row, ...workoutCells(workout, of.cycle, variant)]] : []
      }),
    ),
    journal: write(
      headers.journal,
      cycles.flatMap(({ row }, index) =>
        (variant.questions ?? QUESTIONS).map((question, position) => [
          ...row,
          question,
          (index + position) % 3 === 0,
          (index + position) % 40 === 0 ? 'a note, with "quotes"\nand lines' : "",
        ]),
      ),
    ),
  }
}

type Cell = string | number | boolean | null | undefined

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return ""
  const text = String(cell)
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function offsetOf({ timezone_offset: text }: { readonly timezone_offset: string }): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(text) ?? []
  return (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === "-" ? -1 : 1)
}

/** A row's times have the offset of its cycle. */
const local = (instant: string, cycle: WireCycle, { shiftMs = 0 }: ArchiveVariant): string =>
  new Date(Date.parse(instant) + shiftMs + offsetOf(cycle) * MINUTE_MS).toISOString().slice(0, 19).replace("T", " ")

function zoneText(cycle: WireCycle, { zone = "utc" }: ArchiveVariant): string {
  const minutes = offsetOf(cycle)
  if (minutes === 0) return zone === "utc" ? "UTCZ" : "GMT"
  const [sign, hours, rest] = [minutes < 0 ? "-" : "+", Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  if (zone === "gmt") return `GMT${sign}${hours}${rest === 0 ? "" : `:${rest}`}`
  return `UTC${sign}${String(hours).padStart(2, "0")}:${String(rest).padStart(2, "0")}`
}

const cycleStart = (cycle: WireCycle, variant: ArchiveVariant): Cell[] => [
  local(cycle.start, cycle, variant),
  cycle.end ? local(cycle.end, cycle, variant) : "",
  zoneText(cycle, variant),
]

const effortOf = (score: WireCycle["score"] | WireWorkout["score"]): Cell[] => [
  score?.strain,
  score && score.kilojoule / 4.184,
  score?.max_heart_rate,
  score?.average_heart_rate,
]

function sleepCells(sleep: WireSleep, cycle: WireCycle, variant: ArchiveVariant): Cell[] {
  const { score } = sleep
  const stages = score?.stage_summary
  const need = score && Object.values(score.sleep_needed).reduce((sum, milli) => sum + milli, 0)
  const minutes = (milli: number | undefined) => (milli === undefined ? undefined : milli / MINUTE_MS)
  return [
    local(sleep.start, cycle, variant),
    local(sleep.end, cycle, variant),
    score?.sleep_performance_percentage,
    score?.respiratory_rate,
    stages &&
      minutes(
        stages.total_light_sleep_time_milli +
          stages.total_slow_wave_sleep_time_milli +
          stages.total_rem_sleep_time_milli,
      ),
    minutes(stages?.total_in_bed_time_milli),
    minutes(stages?.total_light_sleep_time_milli),
    minutes(stages?.total_slow_wave_sleep_time_milli),
    minutes(stages?.total_rem_sleep_time_milli),
    minutes(stages?.total_awake_time_milli),
    minutes(need ?? undefined),
    score ? 0 : undefined,
    score?.sleep_efficiency_percentage,
    score?.sleep_consistency_percentage,
  ]
}

function workoutCells(workout: WireWorkout, cycle: WireCycle, variant: ArchiveVariant): Cell[] {
  const { score } = workout
  const lengthMs = Date.parse(workout.end) - Date.parse(workout.start)
  const zones = score?.zone_durations
  const share = (milli: number | undefined) => (milli === undefined ? undefined : (milli / lengthMs) * 100)
  const tail =
    variant.tail === undefined || variant.tail === "none"
      ? []
      : [score?.distance_meter, score?.altitude_gain_meter, score?.altitude_change_meter]
  return [
    local(workout.start, cycle, variant),
    local(workout.end, cycle, variant),
    Math.round(lengthMs / MINUTE_MS),
    workout.sport_name,
    ...effortOf(score),
    share(zones?.zone_one_milli),
    share(zones?.zone_two_milli),
    share(zones?.zone_three_milli),
    share(zones?.zone_four_milli),
    share(zones?.zone_five_milli),
    score?.distance_meter !== null && score !== null && score !== undefined,
    ...tail,
  ]
}
