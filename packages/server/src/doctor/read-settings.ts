import { type Config, ConfigError, loadConfig } from "../config/config.ts"

type Environment = Readonly<Record<string, string | undefined>>

/** The settings as far as they are right, so that one mistake hides nothing else. */
export interface ReadSettings {
  readonly config: Config
  readonly mistakes: readonly string[]
  /** Names of the settings that could not be used. */
  readonly unusable: ReadonlySet<string>
}

const NAME = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|^(?:PORT|HOST)\b/g
const MISSPELLED = /^(\S+) is not a setting, did you mean (\S+)$/
const REQUIRED = /^(\S+) is required with /
/** Where a secret is required and missing. It decrypts nothing. */
const PLACEHOLDER = "no secret, because none is set: ".padEnd(64, "x")

/** Reads the settings, and leaves out those with a mistake. */
export function readSettings(environment: Environment): ReadSettings {
  const given: Record<string, string | undefined> = { ...environment }
  const mistakes: string[] = []
  const unusable = new Set<string>()
  for (;;) {
    try {
      return { config: loadConfig(given), mistakes, unusable }
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      const found = withoutConsequences(error.mistakes)
      mistakes.push(...found.filter((mistake) => !namesIn(mistake).some((name) => unusable.has(name))))
      if (!found.some((mistake) => leaveOut(mistake, given, unusable))) throw error
    }
  }
}

/** A setting that is missing because its name is misspelled is one mistake. */
function withoutConsequences(mistakes: readonly string[]): readonly string[] {
  const meant = mistakes.flatMap((mistake) => MISSPELLED.exec(mistake)?.[2] ?? [])
  return mistakes.filter((mistake) => !meant.includes(REQUIRED.exec(mistake)?.[1] ?? ""))
}

const namesIn = (mistake: string): string[] => mistake.match(NAME) ?? []

/** Takes what is wrong out of the settings. False if nothing is left to take out. */
function leaveOut(mistake: string, given: Record<string, string | undefined>, unusable: Set<string>): boolean {
  const [, wrong, meant] = MISSPELLED.exec(mistake) ?? []
  if (wrong !== undefined && meant !== undefined) {
    given[meant] ||= given[wrong]
    return delete given[wrong]
  }
  if (REQUIRED.exec(mistake)?.[1] === "RESTWELL_SECRET") {
    given["RESTWELL_SECRET"] = PLACEHOLDER
    unusable.add("RESTWELL_SECRET")
    return true
  }
  const [first, ...others] = namesIn(mistake)
  const names = first !== undefined && given[first] ? [first] : others.filter((name) => given[name])
  for (const name of names) {
    unusable.add(name)
    delete given[name]
  }
  if (first !== undefined) unusable.add(first)
  return names.length > 0
}
