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

export const FILE_NAMES: Readonly<Record<"english" | "spanish", Readonly<Record<keyof typeof ENGLISH, string>>>> = {
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
