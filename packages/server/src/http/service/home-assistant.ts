/** The broker and Home Assistant, as the owner sets them on the page Service. */

import {
  type HomeAssistantRequest,
  HomeAssistantRequestSchema,
  type HomeAssistantState,
  HomeAssistantStateSchema,
  type HomeAssistantTest,
  HomeAssistantTestSchema,
} from "@restwell/client"
import { SECOND_MS } from "@restwell/client/time-units"
import {
  Conflict,
  type Context,
  InvalidRequest,
  readHomeAssistantHealth,
  TooManyAttempts,
  takeAttempt,
} from "@restwell/core"
import { readOperationSettings } from "../../config/config.ts"
import type { EffectiveSettings } from "../../config/live-settings.ts"
import { connectBroker } from "../../home-assistant/broker.ts"
import { describeFault } from "../../home-assistant/fault.ts"
import { type HomeAssistantAddress, openStatistics } from "../../home-assistant/statistics-socket.ts"
import { jsonBody, success } from "../../openapi/responses.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { parseBody } from "../plumbing/requests.ts"
import {
  CONFIRM,
  CONFIRMED_BY,
  confirmChange,
  type OperationServices,
  refuseEnvironment,
  storeSettings,
} from "./settings.ts"

const SetHomeAssistantSchema = HomeAssistantRequestSchema.extend(CONFIRM).meta({ id: "SetHomeAssistantRequest" })

type Current = Pick<EffectiveSettings, "mqttUrl" | "homeAssistant">

/** The settings as they are after a change. Null removes one, undefined leaves it. */
interface Change {
  readonly MQTT_URL?: string | null
  readonly HOME_ASSISTANT_URL?: string | null
  readonly HOME_ASSISTANT_TOKEN?: string | null
}

const FIELDS = {
  MQTT_URL: "mqtt_url",
  HOME_ASSISTANT_URL: "home_assistant_url",
  HOME_ASSISTANT_TOKEN: "home_assistant_token",
} as const
type Name = keyof typeof FIELDS
const NAMES: readonly Name[] = ["MQTT_URL", "HOME_ASSISTANT_URL", "HOME_ASSISTANT_TOKEN"]

/** @throws {InvalidRequest} for a value that is not valid, and for an address without a token */
function changeOf(request: HomeAssistantRequest, { homeAssistant }: Current): Change {
  const { mqtt_url, home_assistant_url: url, home_assistant_token: token } = request
  const given = Object.entries({ MQTT_URL: mqtt_url, HOME_ASSISTANT_URL: url, HOME_ASSISTANT_TOKEN: token })
  const texts = Object.fromEntries(given.flatMap(([name, value]) => (value == null ? [] : [[name, value]])))
  const read = readOperationSettings(texts)
  if ("wrong" in read) {
    const name = NAMES.find((each) => each === read.wrong) ?? "MQTT_URL"
    throw new InvalidRequest(`${FIELDS[name]} ${read.message}`, FIELDS[name])
  }
  // A token goes to the address that it was entered for, and to no other one.
  const isSameAddress = url === undefined || (homeAssistant !== undefined && isSame(url, homeAssistant.url))
  if (url !== null && url !== undefined && token === undefined && !isSameAddress)
    throw new InvalidRequest(
      "home_assistant_token is missing: make a long-lived access token of an administrator in Home Assistant",
      "home_assistant_token",
    )
  if (token !== undefined && (url === null || (url === undefined && homeAssistant === undefined)))
    throw new InvalidRequest("home_assistant_url is missing: enter where Home Assistant is", "home_assistant_url")
  return {
    ...(mqtt_url !== undefined && { MQTT_URL: mqtt_url }),
    ...(url !== undefined && { HOME_ASSISTANT_URL: url }),
    ...(url === null ? { HOME_ASSISTANT_TOKEN: null } : token !== undefined && { HOME_ASSISTANT_TOKEN: token }),
  }
}

const isSame = (url: string | null, other: string): boolean =>
  url !== null && URL.parse(url)?.origin === URL.parse(other)?.origin

/** @throws {Conflict} where an environment variable sets one of these */
function readChange(services: OperationServices, request: HomeAssistantRequest): Change {
  const change = changeOf(request, services.live.current())
  refuseEnvironment(
    services,
    NAMES.filter((name) => name in change),
  )
  return change
}

/** How Home Assistant is reached, without a password and a token. */
export async function presentHomeAssistant(
  context: Context,
  { mqttUrl, homeAssistant, operationSources }: EffectiveSettings,
): Promise<HomeAssistantState> {
  const { people, failures } = await readHomeAssistantHealth(context)
  const isSet = { broker: mqttUrl !== undefined, history: homeAssistant !== undefined }
  return {
    broker: { source: operationSources.get("MQTT_URL") ?? null, server: hostOf(mqttUrl) },
    history: { source: operationSources.get("HOME_ASSISTANT_URL") ?? null, server: hostOf(homeAssistant?.url) },
    people,
    failures: failures
      .filter(({ link }) => isSet[link])
      .map(({ link, since, failure }) => ({ link, since: since.toISOString(), failure })),
  }
}

const hostOf = (url: string | undefined): string | null => (url === undefined ? null : new URL(url).host)

/** Longer than each of them waits for an answer. */
const LONGEST_TRY_MS = 20 * SECOND_MS
/** Each opens connections to addresses that the owner names. */
const TRIES = { attempts: 20, windowSeconds: 300 }

/** @throws {TooManyAttempts} */
async function countTry(context: Context, userId: string): Promise<void> {
  const waitSeconds = await takeAttempt(context, `home-assistant-test/${userId}`, TRIES)
  if (waitSeconds > 0) throw new TooManyAttempts(`too many tests, try again in ${waitSeconds} seconds`, waitSeconds)
}

async function tryBroker(url: string) {
  try {
    const broker = await connectBroker({ url, signal: AbortSignal.timeout(LONGEST_TRY_MS) })
    await broker.close()
    return { problem: null }
  } catch (error) {
    return { problem: describeFault(error, "the broker").message }
  }
}

async function tryHistory(address: HomeAssistantAddress) {
  try {
    const socket = await openStatistics(address, AbortSignal.timeout(LONGEST_TRY_MS))
    socket.close()
    return { problem: null }
  } catch (error) {
    return { problem: describeFault(error, "Home Assistant").message }
  }
}

/** The settings in use, with what a request gives in place of them. */
function wantedOf({ live }: OperationServices, request: HomeAssistantRequest): Current {
  const current = live.current()
  const { MQTT_URL, HOME_ASSISTANT_URL, HOME_ASSISTANT_TOKEN } = changeOf(request, current)
  const { mqttUrl, homeAssistant } = current
  const url = HOME_ASSISTANT_URL === undefined ? homeAssistant?.url : (HOME_ASSISTANT_URL ?? undefined)
  const token = HOME_ASSISTANT_TOKEN === undefined ? homeAssistant?.token : (HOME_ASSISTANT_TOKEN ?? undefined)
  const given = {
    ...(url !== undefined && { HOME_ASSISTANT_URL: url }),
    ...(token !== undefined && { HOME_ASSISTANT_TOKEN: token }),
  }
  const read = readOperationSettings(given)
  return {
    mqttUrl: MQTT_URL === undefined ? mqttUrl : (MQTT_URL ?? undefined),
    homeAssistant: "wrong" in read ? undefined : read.homeAssistant,
  }
}

/** Home Assistant, for the owner. */
export const homeAssistantEndpoints = defineEndpoints<OperationServices>("Service", [
  {
    method: "PUT",
    path: "/api/service/home-assistant",
    access: "owner",
    id: "setHomeAssistant",
    summary: "Set the broker and Home Assistant",
    description:
      "For the owner, unless MQTT_URL or HOME_ASSISTANT_URL are set. People who switched it on are published to the broker, and their " +
      `history is sent to Home Assistant. Password and token are sealed, and never come back. ${CONFIRMED_BY} Null needs none.`,
    requestBody: jsonBody(SetHomeAssistantSchema),
    responses: { "200": success("Changed", HomeAssistantStateSchema) },
    failures: ["conflict", "tooManyAttempts"],
    handle: async (services, { session, request }) => {
      const { confirm, ...wanted } = parseBody(request, SetHomeAssistantSchema)
      const change = readChange(services, wanted)
      // What is removed sends nothing elsewhere.
      if (Object.values(change).some((value) => value !== null))
        await confirmChange(services, { session, request }, confirm)
      await storeSettings(services, { session, request, subject: "Home Assistant" }, { ...change })
      return presentHomeAssistant(services.context, services.live.current())
    },
  },
  {
    method: "POST",
    path: "/api/service/home-assistant/test",
    access: "owner",
    id: "testHomeAssistant",
    summary: "Try the broker and Home Assistant",
    description:
      "For the owner: signs in at both, with the settings in use or with those of the request, and says what is wrong. It sends and stores " +
      "nothing.",
    requestBody: jsonBody(HomeAssistantRequestSchema),
    responses: { "200": success("The outcome", HomeAssistantTestSchema) },
    failures: ["conflict", "tooManyTests"],
    handle: async (services, { session, request }): Promise<HomeAssistantTest> => {
      const { mqttUrl, homeAssistant } = wantedOf(services, parseBody(request, HomeAssistantRequestSchema))
      if (mqttUrl === undefined && homeAssistant === undefined)
        throw new Conflict("nothing is set up: enter the address of the broker first")
      await countTry(services.context, session.userId)
      const [broker, history] = await Promise.all([
        mqttUrl === undefined ? null : tryBroker(mqttUrl),
        homeAssistant === undefined ? null : tryHistory(homeAssistant),
      ])
      return { broker, history }
    },
  },
])
