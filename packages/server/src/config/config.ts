import { z } from "zod"
import { misspelled } from "./misspelled.ts"

/** What a process of the service does: answers requests, works through jobs, or both. */
export const ROLES = ["all", "api", "worker"] as const
export type Role = (typeof ROLES)[number]

/** The operator's own app at a vendor. */
export interface VendorConfig {
  readonly clientId: string
  readonly clientSecret: string
  readonly baseUrl: string
  readonly callsPerMinute: number
  readonly callsPerDay: number
}

/** How the service runs, as the operator set it. README has the table. */
export interface Config {
  readonly role: Role
  readonly host: string
  readonly port: number
  /** How people reach it; without a slash at the end. */
  readonly baseUrl: string
  /** Undefined: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  /** Undefined: made once and kept in `dataDir`. */
  readonly secret: string | undefined
  readonly plans: { readonly free: number; readonly pro: number }
  readonly logLevel: string
  readonly signUp: "open" | "closed"
  /** Whose word on a visitor's address is taken: nobody's, everybody's, or that of proxies at these addresses. */
  readonly trustProxy: boolean | string
  /** By name; only those that are configured. */
  readonly vendors: ReadonlyMap<string, VendorConfig>
}

/** The settings hold mistakes; each is one line that says what is wrong and what would be right. */
export class ConfigError extends Error {
  override readonly name = "ConfigError"
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(
      `the settings hold ${mistakes.length === 1 ? "a mistake" : `${mistakes.length} mistakes`}:\n${mistakes.map((line) => `- ${line}`).join("\n")}`,
    )
    this.mistakes = mistakes
  }
}

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const
const SECRET_LENGTH = 32

const wholeNumber = (min: number, max: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: `must be a whole number from ${min} to ${max}`, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error: `must be a whole number from ${min} to ${max}` })
    .default(fallback)

const origin = z
  .string()
  .transform((text) => text.replace(/\/$/, ""))
  .refine(
    (text) =>
      URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text.toLowerCase(),
    {
      error: "must be an http or https address without a path, like https://restwell.example.com",
    },
  )

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` })

const isPostgresUrl = (text: string): boolean => /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text)

const EnvironmentSchema = z
  .object({
    PORT: wholeNumber(0, 65_535, 3000),
    HOST: z.string().default("127.0.0.1"),
    BASE_URL: origin.optional(),
    DATABASE_URL: z
      .string()
      .refine(isPostgresUrl, { error: "must be like postgres://user:password@host:5432/database" })
      .optional(),
    DATA_DIR: z.string().default("./data"),
    RESTWELL_SECRET: z
      .string()
      .min(SECRET_LENGTH, {
        error: `must be at least ${SECRET_LENGTH} characters, make one with: openssl rand -base64 32`,
      })
      .optional(),
    WHOOP_CLIENT_ID: z.string().optional(),
    WHOOP_CLIENT_SECRET: z.string().optional(),
    WHOOP_BASE_URL: origin.default("https://api.prod.whoop.com"),
    WHOOP_CALLS_PER_MINUTE: wholeNumber(1, 1_000_000, 100),
    WHOOP_CALLS_PER_DAY: wholeNumber(1, 100_000_000, 10_000),
    FREE_MONTHLY_REQUESTS: wholeNumber(0, 999_999_999, 1000),
    PRO_MONTHLY_REQUESTS: wholeNumber(0, 999_999_999, 50_000),
    LOG_LEVEL: oneOf(LOG_LEVELS).default("info"),
    SIGN_UP: oneOf(["open", "closed"]).default("open"),
    TRUST_PROXY: z.string().optional(),
  })
  .superRefine((environment, check) => {
    const mistake = (name: string, message: string) => check.addIssue({ code: "custom", path: [name], message })
    if (environment.DATABASE_URL !== undefined && environment.RESTWELL_SECRET === undefined)
      mistake("RESTWELL_SECRET", "is needed with DATABASE_URL, make one with: openssl rand -base64 32")
    if (environment.WHOOP_CLIENT_ID !== undefined && environment.WHOOP_CLIENT_SECRET === undefined)
      mistake("WHOOP_CLIENT_SECRET", "is needed with WHOOP_CLIENT_ID")
    if (environment.WHOOP_CLIENT_SECRET !== undefined && environment.WHOOP_CLIENT_ID === undefined)
      mistake("WHOOP_CLIENT_ID", "is needed with WHOOP_CLIENT_SECRET")
  })

type Environment = z.infer<typeof EnvironmentSchema>

/** The settings from the environment and the command line. An empty variable counts as left out. @throws {ConfigError} with every mistake at once */
export function loadConfig(
  environment: Readonly<Record<string, string | undefined>>,
  commandLine: readonly string[] = [],
): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  )
  const parsed = EnvironmentSchema.safeParse(given)
  const role = parseRole(commandLine)
  const mistakes = [
    ...(parsed.error?.issues.map(({ path, message }) => `${path.join(".")} ${message}`) ?? []),
    ...("mistake" in role ? [role.mistake] : []),
    ...misspelled(Object.keys(given), Object.keys(EnvironmentSchema.shape)),
  ]
  if (!parsed.success || "mistake" in role || mistakes.length > 0) throw new ConfigError(mistakes)
  return configOf(parsed.data, role.role)
}

function configOf(environment: Environment, role: Role): Config {
  return {
    role,
    host: environment.HOST,
    port: environment.PORT,
    baseUrl: environment.BASE_URL ?? `http://localhost:${environment.PORT}`,
    databaseUrl: environment.DATABASE_URL,
    dataDir: environment.DATA_DIR,
    secret: environment.RESTWELL_SECRET,
    plans: { free: environment.FREE_MONTHLY_REQUESTS, pro: environment.PRO_MONTHLY_REQUESTS },
    logLevel: environment.LOG_LEVEL,
    signUp: environment.SIGN_UP,
    trustProxy: trustOf(environment.TRUST_PROXY),
    vendors: vendorsOf(environment),
  }
}

function vendorsOf(environment: Environment): ReadonlyMap<string, VendorConfig> {
  const { WHOOP_CLIENT_ID: clientId, WHOOP_CLIENT_SECRET: clientSecret } = environment
  if (clientId === undefined || clientSecret === undefined) return new Map()
  const whoop = {
    clientId,
    clientSecret,
    baseUrl: environment.WHOOP_BASE_URL,
    callsPerMinute: environment.WHOOP_CALLS_PER_MINUTE,
    callsPerDay: environment.WHOOP_CALLS_PER_DAY,
  }
  return new Map([["whoop", whoop]])
}

function trustOf(text: string | undefined): boolean | string {
  if (text === undefined || text === "false") return false
  return text === "true" ? true : text
}

function parseRole(commandLine: readonly string[]): { role: Role } | { mistake: string } {
  const [flag, value, ...rest] = commandLine.flatMap((argument) => argument.split("="))
  if (flag === undefined) return { role: "all" }
  const role = ROLES.find((name) => name === value)
  if (flag !== "--role" || role === undefined || rest.length > 0)
    return { mistake: `the command line takes only --role ${ROLES.join("|")}, not ${commandLine.join(" ")}` }
  return { role }
}
