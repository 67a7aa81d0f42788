// Which files of Garmin's archive are read. They are known by their names, because Garmin moves them between folders.
import { baseName, isHidden, type ZipEntry } from "../archive/zip-entries.ts"

const NAMES = {
  days: /^UDSFile_.*\.json$/i,
  health: /_healthStatusData\.json$/i,
  readiness: /^TrainingReadinessDTO_.*\.json$/i,
  body: /_userBioMetrics\.json$/i,
  nights: /_sleepData\.json$/i,
  activities: /_summarizedActivities\.json$/i,
  fitZips: /^UploadedFiles_.*\.zip$/i,
  fit: /\.fit$/i,
  /** Backups of devices. Nothing is read of them. */
  backups: /_(?:LhaBackup|PrimaryTrainingBackup|AdaptiveCoachingSchedule)_.*\.zip$/i,
} as const

export type GarminFiles = Readonly<Record<keyof typeof NAMES, readonly ZipEntry[]>>

const FOLDER = /(?:^|\/)DI_CONNECT\//

/** Returns the files of Garmin's archive. Undefined for another archive. */
export function garminFilesOf(entries: readonly ZipEntry[]): GarminFiles | undefined {
  const visible = entries.filter(({ name }) => !isHidden(name))
  const named = (pattern: RegExp) => visible.filter(({ name }) => pattern.test(baseName(name)))
  const files = {
    days: named(NAMES.days),
    health: named(NAMES.health),
    readiness: named(NAMES.readiness),
    body: named(NAMES.body),
    nights: named(NAMES.nights),
    activities: named(NAMES.activities),
    fitZips: named(NAMES.fitZips),
    fit: named(NAMES.fit),
    backups: named(NAMES.backups),
  }
  const isGarmin =
    Object.values(files).some((found) => found.length > 0) || visible.some(({ name }) => FOLDER.test(name))
  return isGarmin ? files : undefined
}

export const isFit = ({ name }: ZipEntry): boolean => NAMES.fit.test(name) && !isHidden(name)
