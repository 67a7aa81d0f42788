// The titles of the columns in WHOOP's data export, in the languages whose real files are public.
// https://support.whoop.com "How to export your data". https://github.com/ryanbr/noop has headers of accounts in German, Spanish, French
// and Portuguese.
import { foldedText } from "../normalize/folded-text.ts"

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

/** The columns of each table, in WHOOP's order. `optional` ones are the last, and many exports lack them. */
export const TABLES = {
  cycles: {
    usual: [...CYCLE, "recovery", "resting_heart_rate", "hrv", "skin_temp", "spo2", ...EFFORT, ...SLEEP],
    optional: [],
  },
  sleeps: { usual: [...CYCLE, ...SLEEP, "nap"], optional: [] },
  workouts: {
    usual: [...CYCLE, "workout_start", "workout_end", "minutes", "activity", ...EFFORT, ...ZONES],
    optional: ["gps", "distance", "altitude_gain", "altitude_change"],
  },
  journal: { usual: [...CYCLE, "question", "answer"], optional: ["notes"] },
} as const satisfies Readonly<Record<string, { usual: readonly string[]; optional: readonly string[] }>>

export type TableName = keyof typeof TABLES
export const TABLE_NAMES = ["cycles", "sleeps", "workouts", "journal"] as const satisfies readonly TableName[]

/** Titles in the order of TABLES. A title that is not known is blank. */
type Titles = Readonly<Partial<Record<TableName, string>>>

const ENGLISH_SLEEP =
  "Sleep onset|Wake onset|Sleep performance %|Respiratory rate (rpm)|Asleep duration (min)|In bed duration (min)|" +
  "Light sleep duration (min)|Deep (SWS) duration (min)|REM duration (min)|Awake duration (min)|Sleep need (min)|Sleep debt (min)|" +
  "Sleep efficiency %|Sleep consistency %"
const ENGLISH_CYCLE = "Cycle start time|Cycle end time|Cycle timezone"
const ENGLISH = {
  cycles:
    `${ENGLISH_CYCLE}|Recovery score %|Resting heart rate (bpm)|Heart rate variability (ms)|Skin temp (celsius)|Blood oxygen %|` +
    `Day Strain|Energy burned (cal)|Max HR (bpm)|Average HR (bpm)|${ENGLISH_SLEEP}`,
  sleeps: `${ENGLISH_CYCLE}|${ENGLISH_SLEEP}|Nap`,
  workouts:
    `${ENGLISH_CYCLE}|Workout start time|Workout end time|Duration (min)|Activity name|Activity Strain|Energy burned (cal)|Max HR (bpm)|` +
    "Average HR (bpm)|HR Zone 1 %|HR Zone 2 %|HR Zone 3 %|HR Zone 4 %|HR Zone 5 %|GPS enabled|Distance (meters)|" +
    "Altitude gain (meters)|Altitude change (meters)",
  journal: `${ENGLISH_CYCLE}|Question text|Answered yes|Notes`,
} as const satisfies Titles

const LANGUAGES: readonly Titles[] = [
  ENGLISH,
  { journal: "||||Answered yes/no" },
  {
    cycles:
      "Startzeit des Zyklus|Endzeit des Zyklus|Zeitzone des Zyklus|Erholungswert %|Ruheherzfrequenz (Schläge pro Minute)|" +
      "Herzfrequenzvariabilität (ms)|Hauttemperatur (Celsius)|Blutsauerstoff %|Tagesbelastung|Verbrannte Energie (cal)|" +
      "Max HF (Schläge pro Minute)|Durchschnittliche HF (Schläge pro Minute)|Beginn des Schlafs|Beginn des Aufwachens|" +
      "Schlafleistung %|Atemfrequenz (Atemzüge/Min.)|Schlafdauer (Min.)|Dauer im Bett (Min.)|Dauer des Leichtschlafs (Min.)|" +
      "Dauer des Tiefschlafs (Min.)|Dauer des REM-Schlafs (Min.)|Dauer des Aufwachens (Min.)|Schlafbedarf (Min.)|" +
      "Schlafdefizit (Min.)|Schlafeffizienz %|Schlafbeständigkeit %",
    sleeps: "|||||||||||||||||Nickerchen",
    workouts:
      "|||Startzeit des Trainings|Endzeit des Trainings|Dauer (Min.)|Name der Aktivität|Aktivitätsbelastung||||HF-Zone 1 %|" +
      "HF-Zone 2 %|HF-Zone 3 %|HF-Zone 4 %|HF-Zone 5 %|GPS aktiviert",
  },
  {
    cycles:
      "Hora de inicio del ciclo|Hora de finalización del ciclo|Zona horaria del ciclo|Puntuación de recuperación (%)|" +
      "Frecuencia cardíaca en reposo (lpm)|Variabilidad de la frecuencia cardíaca (ms)|Temp. cutánea (grados centígrados)|" +
      "Oxígeno en sangre %|Esfuerzo del día|Energía quemada (cal)|FC máx. (lpm)|FC promedio (lpm)|Inicio del sueño|" +
      "Inicio de la vigilia|Calificación del sueño (%)|Frecuencia respiratoria (rpm)|Duración del sueño (min)|" +
      "Tiempo en la cama (min)|Duración de sueño ligero (min)|Duración de sueño profundo (SWS) (min)|Duración de sueño REM (min)|" +
      "Tempo despierto/a (min)|Sueño necesario (min)|Deuda de sueño (min)|Eficiencia del sueño %|Regularidad del sueño %",
    sleeps: "|||||||||||||||||Siesta",
    workouts:
      "|||Hora de inicio del entrenamiento|Hora de finalización del entrenamiento|Duración (min)|Nombre de la actividad|" +
      "Esfuerzo de actividad||||Zona FC 1%|Zona FC 2%|Zona FC 3%|Zona FC 4%|Zona FC 5%|GPS habilitado",
    journal: '|||Texto de la pregunta|Respondió "Sí"|Notas',
  },
  {
    cycles:
      "Heure de début du cycle|Heure de fin du cycle|Fuseau horaire du cycle|Score de récupération %|" +
      "Fréquence cardiaque au repos (bpm)|Variabilité de la fréquence cardiaque (ms)|Température cutanée (Celsius)|" +
      "Niveau d'oxygène %|Effort du jour|Dépense énergétique (cal.)|FC max. (bpm)|FC moyenne (bpm)|Premiers signes de sommeil|" +
      "Premiers signes de réveil|Performance Sommeil %|Fréquence respiratoire (tr/min)|Durée du sommeil (min)|" +
      "Temps passé au lit (min)|Durée du sommeil léger (min)|Durée du sommeil profond (min)|Durée du sommeil paradoxal (min)|" +
      "Temps d'éveil (min)|Besoins en sommeil (min)|Dette de sommeil (min)|Efficacité du sommeil %|Régularité du sommeil %",
    sleeps: "|||||||||||||||||Sieste",
    workouts: "||||||Nom de l'activité|||||Zone FC 1 %|Zone FC 2 %|Zone FC 3 %|Zone FC 4 %|Zone FC 5 %",
  },
  {
    cycles:
      "Hora de início do ciclo|Hora de fim do ciclo|Fuso horário do ciclo|Pontuação de recuperação %|" +
      "Frequência cardíaca em repouso (bpm)|Variabilidade da frequência cardíaca (ms)|Temp. da pele (celsius)|" +
      "% de oxigênio no sangue|Esforço diário|Energia queimada (cal)|FC máx. (bpm)|FC média (bpm)|Início do sono|" +
      "Início da vigília|Desempenho do sono %|Frequência respiratória (rpm)|Duração do sono (min)|Duração na cama (min)|" +
      "Duração do sono leve (min)|Duração profundo (Sono) (min)|Duração REM (min)|Duração de vigília (min)|" +
      "Necessidade de sono (min)|Débito de sono (min)|Eficácia do sono %|Consistência do sono %",
    sleeps: "|||||||||||||||||Sesta",
    workouts: "||||||Nome da atividade|||||Zona 1 de FC %|Zona 2 de FC %|Zona 3 de FC %|Zona 4 de FC %|Zona 5 de FC %",
  },
]

/** `Cycle start time`, `cycle_start_time` and `CYCLE START TIME` are one title. */
const keyOf = (title: string): string => foldedText(title).replaceAll(/[^\p{L}\p{N}]/gu, "")

const pairsOf = (titles: Titles): [title: string, column: string][] =>
  TABLE_NAMES.flatMap((table) => {
    const columns: readonly string[] = [...TABLES[table].usual, ...TABLES[table].optional]
    return (titles[table] ?? "").split("|").flatMap((title, index): [string, string][] => {
      const column = columns[index]
      return title === "" || column === undefined ? [] : [[title, column]]
    })
  })

const COLUMNS: ReadonlyMap<string, string> = new Map(
  LANGUAGES.flatMap((titles) => pairsOf(titles).map(([title, column]) => [keyOf(title), column])),
)

/** Returns the column that a title names. Undefined for a title that is not known. */
export const columnOf = (title: string): string | undefined => COLUMNS.get(keyOf(title))

/** English titles by column and table, for the report. */
export const titleOf = (table: TableName, column: string): string =>
  pairsOf({ [table]: ENGLISH[table] }).find(([, found]) => found === column)?.[0] ?? column
