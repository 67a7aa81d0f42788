import { type Context, readServiceSettings, readSettingsVersion, type ServiceSettings } from "@restwell/core"
import { type RepeatOptions, repeat } from "../process/wait.ts"
import {
  type Config,
  OPERATION_SETTINGS,
  type OperationSetting,
  type OperationSettings,
  readOperationSettings,
} from "./config.ts"
import { origin } from "./environment.ts"
import { prefixOf, readVendorSettings } from "./vendor-settings.ts"

/** Where a setting comes from. The environment takes precedence. */
type SettingSource = "environment" | "page"

/** The settings that may change while the service runs. */
export interface EffectiveSettings extends OperationSettings {
  /** How people reach the service; without a slash at the end. */
  readonly baseUrl: string
  /** Null for the default. */
  readonly addressSource: SettingSource | null
  /** Where each setting of the operation that is set comes from. */
  readonly operationSources: ReadonlyMap<OperationSetting, SettingSource>
  readonly vendors: Config["vendors"]
  /** Where the app of each configured vendor comes from. */
  readonly vendorSources: ReadonlyMap<string, SettingSource>
  /** Names of stored settings that the secret does not open. */
  readonly unreadable: readonly string[]
}

export interface LiveSettings {
  current(): EffectiveSettings
  /** Reads the stored settings now, after a change by this process. Resolves when everything uses them. */
  refresh(): Promise<void>
  /** Called before a changed address is in use. */
  beforeAddressChange(prepare: (baseUrl: string) => Promise<void>): void
}

interface EffectiveOptions extends Pick<Context, "database" | "cipher"> {
  readonly config: Pick<
    Config,
    "baseUrl" | "isAddressSet" | "vendors" | "vendorEnvironment" | "operationEnvironment" | keyof OperationSettings
  >
  /** Without another setting: localhost with the port of this process. */
  readonly address: string
}

/** The settings of the environment, and of the page Service where the environment has none. */
export async function readEffectiveSettings(options: EffectiveOptions): Promise<EffectiveSettings> {
  const { config, address } = options
  const { values, unreadable } = await readServiceSettings(options)
  const stored = config.isAddressSet ? undefined : origin.safeParse(values.get("BASE_URL")).data
  const vendors = readVendorSettings({ ...vendorValues(config, values), ...config.vendorEnvironment }).vendors
  return {
    baseUrl: stored ?? config.baseUrl ?? address,
    addressSource: config.isAddressSet ? "environment" : stored === undefined ? null : "page",
    ...operationOf(config, values),
    vendors,
    vendorSources: new Map(
      [...vendors.keys()].map((provider) => [provider, config.vendors.has(provider) ? "environment" : "page"]),
    ),
    unreadable,
  }
}

/** The stored settings of the operation under those of the environment. Of stored ones that are not valid, none is used. */
function operationOf(
  config: EffectiveOptions["config"],
  values: ServiceSettings["values"],
): OperationSettings & Pick<EffectiveSettings, "operationSources"> {
  const { operationEnvironment: environment, signUp, mail, mqttUrl, homeAssistant, backup, privateHosts } = config
  const merged = readOperationSettings({ ...Object.fromEntries(values), ...environment })
  if ("wrong" in merged)
    return {
      signUp,
      mail,
      mqttUrl,
      homeAssistant,
      backup,
      privateHosts,
      operationSources: sourcesOf(environment, []),
    }
  return { ...merged, operationSources: sourcesOf(environment, [...values.keys()]) }
}

const sourcesOf = (
  environment: Config["operationEnvironment"],
  stored: readonly string[],
): EffectiveSettings["operationSources"] =>
  new Map(
    OPERATION_SETTINGS.flatMap((name): [OperationSetting, SettingSource][] =>
      name in environment ? [[name, "environment"]] : stored.includes(name) ? [[name, "page"]] : [],
    ),
  )

/** Stored settings of the vendors whose app the environment does not have. */
const vendorValues = ({ vendors }: Pick<Config, "vendors">, values: ServiceSettings["values"]) =>
  Object.fromEntries(
    [...values].filter(
      ([name]) => name !== "BASE_URL" && ![...vendors.keys()].some((provider) => name.startsWith(prefixOf(provider))),
    ),
  )

export interface LiveSettingsOptions extends EffectiveOptions, Pick<Context, "logger"> {
  /** When to look: another process may have changed them. */
  readonly looks: Pick<RepeatOptions, "everyMs" | "wait">
  /** Called once changed settings are in use. */
  readonly onChange: () => void
}

/** Follows the stored settings, so that every process uses a change within seconds. */
export async function followSettings(
  options: LiveSettingsOptions,
  started: AsyncDisposableStack,
): Promise<LiveSettings> {
  let version = await readSettingsVersion(options)
  let settings = await readEffectiveSettings(options)
  const preparations: ((baseUrl: string) => Promise<void>)[] = []
  const read = async () => {
    const newest = await readSettingsVersion(options)
    if (newest === version) return
    const next = await readEffectiveSettings(options)
    if (next.baseUrl !== settings.baseUrl) for (const prepare of preparations) await prepare(next.baseUrl)
    settings = next
    version = newest
    options.onChange()
  }
  let reading: Promise<void> = Promise.resolve()
  const refresh = () => {
    reading = reading.catch(() => {}).then(read)
    return reading
  }
  const stopping = new AbortController()
  const look = () =>
    refresh().catch((error: unknown) => options.logger.debug({ err: error }, "could not look for changed settings"))
  const following = repeat(look, { ...options.looks, signal: stopping.signal })
  started.defer(async () => {
    stopping.abort()
    await following
  })
  if (settings.unreadable.length > 0)
    options.logger.warn(
      { settings: settings.unreadable },
      "stored settings cannot be decrypted with this secret: restore the secret, or enter them again on the page Service",
    )
  return {
    current: () => settings,
    refresh,
    beforeAddressChange: (prepare) => void preparations.push(prepare),
  }
}
