import { resolve } from "node:path"
import type { BackupSchedule } from "@restwell/core"
import type { PoolerSetting } from "../postgres/find-pooler.ts"
import { type Environment, EnvironmentSchema, type LOG_LEVELS, missing, samePorts, wrongValues } from "./environment.ts"
import { misspelled } from "./misspelled.ts"
import { readVendorSettings, VENDOR_SETTINGS, type VendorConfig } from "./vendor-settings.ts"

/** What a process does: answers requests (api), runs jobs (worker), or both. */
const ROLES = ["all", "api", "worker"] as const
export type Role = (typeof ROLES)[number]

/** The operator's settings. README has the table. */
export interface Config {
  readonly role: Role
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** How people reach it; without a slash at the end. Undefined: localhost with the port that is found free. */
  readonly baseUrl: string | undefined
  /** Undefined: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined
  /** Whether a pooler in transaction mode stands before the database of `databaseUrl`. */
  readonly databasePooler: PoolerSetting
  readonly dataDir: string
  /** Scheduled backups. Undefined without a folder for them. */
  readonly backup: BackupSchedule | undefined
  /** Largest archive that is taken. */
  readonly importMaxBytes: number
  /** Most memory for cached responses. */
  readonly answerCacheBytes: number
  /** Undefined: the first start makes it in `dataDir`. */
  readonly secret: string | undefined
  /** Earlier secrets, which only decrypt. `dataDir` may hold more. */
  readonly formerSecrets: readonly string[]
  readonly plans: { readonly free: number; readonly pro: number }
  readonly logLevel: (typeof LOG_LEVELS)[number]
  readonly signUp: "open" | "closed"
  /** Whether two accounts may be connected to one member of a vendor. */
  readonly sharedVendorAccounts: "refuse" | "allow"
  /** Whether the connector accepts assistants that mix the eras of MCP, which the specification refuses. */
  readonly takesMixedEra: boolean
  /** Who may set a visitor's address by X-Forwarded-For: nobody, everybody, this many proxies in a row, or those at these addresses. */
  readonly trustProxy: boolean | number | string
  /** Most open connections of people and programs. */
  readonly maxConnections: number
  /** The port that serves metrics alone. Undefined: the service's own port does. */
  readonly metricsPort: number | undefined
  /** Undefined: no e-mails. */
  readonly mail: MailConfig | undefined
  /** Undefined: anybody who reaches their port reads the metrics. */
  readonly metricsToken: string | undefined
  /** Configured vendors by name. */
  readonly vendors: ReadonlyMap<string, VendorConfig>
  /** Configured OpenID providers. */
  readonly identityProviders: readonly IdentityProviderConfig[]
}

/** The operator's own app at an OpenID provider. */
export interface IdentityProviderConfig {
  readonly provider: "google" | "apple"
  readonly clientId: string
  readonly clientSecret: string
  readonly issuer: string
}

/** The mail server that takes our e-mails, and their sender. */
export interface MailConfig {
  /** smtp:// or smtps://, with user and password if the server needs them. */
  readonly smtpUrl: string
  readonly from: { readonly name: string; readonly address: string }
}

/** Invalid settings. Each mistake is one line that says what is wrong and what would be right. */
export class ConfigError extends Error {
  override readonly name = "ConfigError"
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(
      `the settings have ${mistakes.length === 1 ? "a mistake" : `${mistakes.length} mistakes`}:\n${mistakes.map((line) => `- ${line}`).join("\n")}`,
    )
    this.mistakes = mistakes
  }
}

/** The settings from the environment and the command line. An empty variable counts as left out. @throws {ConfigError} with every mistake at once */
export function loadConfig(
  environment: Readonly<Record<string, string | undefined>>,
  commandLine: readonly string[] = [],
): Config {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) if (value) given[name] = value
  const parsed = EnvironmentSchema.safeParse(given)
  const vendors = readVendorSettings(given)
  const role = parseRole(commandLine)
  const mistakes = [
    ...wrongValues(parsed.error, given),
    ...vendors.wrong,
    ...missing(given),
    ...vendors.missing,
    ...samePorts(given),
    ...misspelled(given, [...Object.keys(EnvironmentSchema.shape), ...VENDOR_SETTINGS]),
    ...("mistake" in role ? [role.mistake] : []),
  ]
  if (!parsed.success || "mistake" in role || mistakes.length > 0) throw new ConfigError(mistakes)
  return configOf(parsed.data, role.role, vendors.vendors)
}

function configOf(environment: Environment, role: Role, vendors: Config["vendors"]): Config {
  return {
    role,
    host: environment.HOST,
    port: environment.PORT,
    baseUrl: environment.BASE_URL ?? (environment.PORT === 0 ? undefined : `http://localhost:${environment.PORT}`),
    databaseUrl: environment.DATABASE_URL,
    databasePooler: environment.DATABASE_POOLER,
    dataDir: environment.DATA_DIR,
    backup: backupOf(environment),
    importMaxBytes: environment.IMPORT_MAX_MB * 1_048_576,
    answerCacheBytes: environment.ANSWER_CACHE_MB * 1_048_576,
    secret: environment.RESTWELL_SECRET,
    formerSecrets: environment.RESTWELL_FORMER_SECRETS,
    plans: { free: environment.FREE_MONTHLY_REQUESTS, pro: environment.PRO_MONTHLY_REQUESTS },
    logLevel: environment.LOG_LEVEL,
    signUp: environment.SIGN_UP,
    sharedVendorAccounts: environment.SHARED_VENDOR_ACCOUNTS,
    takesMixedEra: environment.CONNECTOR_MIXED_ERA === "on",
    trustProxy: environment.TRUST_PROXY,
    maxConnections: environment.MAX_CONNECTIONS,
    metricsPort: environment.METRICS_PORT,
    mail:
      environment.SMTP_URL === undefined || environment.MAIL_FROM === undefined
        ? undefined
        : { smtpUrl: environment.SMTP_URL, from: environment.MAIL_FROM },
    metricsToken: environment.METRICS_TOKEN,
    vendors,
    identityProviders: identityProvidersOf(environment),
  }
}

const backupOf = (environment: Environment): BackupSchedule | undefined =>
  environment.BACKUP_DIR === undefined
    ? undefined
    : {
        directory: resolve(environment.BACKUP_DIR),
        keep: environment.BACKUP_KEEP,
        everyHours: environment.BACKUP_EVERY_HOURS,
        hasSecret: environment.BACKUP_WITH_SECRET === "yes",
      }

const identityProvidersOf = (environment: Environment): IdentityProviderConfig[] =>
  (["google", "apple"] as const).flatMap((provider) => {
    const prefix = provider === "google" ? "GOOGLE" : "APPLE"
    const clientId = environment[`${prefix}_CLIENT_ID` as const]
    const clientSecret = environment[`${prefix}_CLIENT_SECRET` as const]
    if (clientId === undefined || clientSecret === undefined) return []
    return [{ provider, issuer: environment[`${prefix}_ISSUER` as const], clientId, clientSecret }]
  })

function parseRole(commandLine: readonly string[]): { role: Role } | { mistake: string } {
  const [flag, value, ...rest] = commandLine.flatMap((argument) => argument.split("="))
  if (flag === undefined) return { role: "all" }
  const role = ROLES.find((name) => name === value)
  if (flag !== "--role" || role === undefined || rest.length > 0)
    return { mistake: `the command line takes only --role ${ROLES.join("|")}, not ${commandLine.join(" ")}` }
  return { role }
}
