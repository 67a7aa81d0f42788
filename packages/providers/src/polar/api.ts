// The calls of Polar's AccessLink v3: addresses, ranges and lists. https://www.polar.com/accesslink-api/
//
// The lists that hand each thing out once, under `transactions`, are not used: what was handed out and lost would be gone. An empty list may
// be a 204 without a body, and names have hyphens or underscores.
import { AccessTokenRejected, RequestRefused } from "../contract/errors.ts"
import type { Json } from "../contract/records.ts"
import type { VendorClient } from "../http/vendor-client.ts"
import { parseWhole } from "../normalize/read-records.ts"
import type { DateRange } from "./dates.ts"
import {
  PolarListSchema,
  PolarNightsSchema,
  type PolarPhysicalInfo,
  PolarPhysicalInfoSchema,
  PolarRechargesSchema,
} from "./wire.ts"

const USERS = "/v3/users"
const EXERCISES = "/v3/exercises"

/** One person's access. */
export interface PolarAccess {
  readonly client: VendorClient
  readonly accessToken: string
}

/**
 * Polar names a person in the answer of the token alone, and a grant is ended by that name. So what is stored as the access token is both.
 */
export const joinToken = (memberId: string, token: string): string => `${memberId}:${token}`

/** @throws {AccessTokenRejected} for a token that is not of this form */
function splitToken(accessToken: string): { readonly memberId: string; readonly token: string } {
  const [, memberId, token] = /^([0-9A-Za-z_-]{1,64}):(.+)$/s.exec(accessToken) ?? []
  if (memberId === undefined || token === undefined) throw new AccessTokenRejected("This is no token of Polar")
  return { memberId, token }
}

export const authorizationOf = (accessToken: string): string => `Bearer ${splitToken(accessToken).token}`

export const memberIdOf = (accessToken: string): string => splitToken(accessToken).memberId

/** Returns the nights that Polar still serves. */
export async function listNights(access: PolarAccess): Promise<readonly Json[]> {
  const path = `${USERS}/sleep`
  const body = await read(access, path)
  return body === null ? [] : parseWhole(PolarNightsSchema, body, `GET ${path}`).nights
}

/** Returns what is known of the nights that Polar still serves. */
export async function listRecharges(access: PolarAccess): Promise<readonly Json[]> {
  const path = `${USERS}/nightly-recharge`
  const body = await read(access, path)
  return body === null ? [] : parseWhole(PolarRechargesSchema, body, `GET ${path}`).recharges
}

/** Returns the temperatures of the nights of these dates. */
export const listTemperatures = (access: PolarAccess, range: DateRange): Promise<readonly Json[]> =>
  listOf(access, `${USERS}/biosensing/skintemperature`, { from: range.first, to: range.last })

/** Returns the days of these dates. */
export const listActivities = (access: PolarAccess, range: DateRange): Promise<readonly Json[]> =>
  listOf(access, `${USERS}/activities`, { from: range.first, to: range.last })

/** Returns the exercises that Polar still serves. */
export const listExercises = (access: PolarAccess): Promise<readonly Json[]> =>
  listOf(access, EXERCISES, { zones: "true" })

/** Returns one exercise. Undefined where there is none. */
export async function getExercise({ client, accessToken }: PolarAccess, id: string): Promise<Json | undefined> {
  const path = `${EXERCISES}/{id}`
  const body = await client.read({ path, parameters: { id }, query: { zones: "true" }, accessToken })
  return body === undefined || body === null ? undefined : withUnderscores(body)
}

/** Returns what the person typed of their body. Polar may have nothing, or keep it to itself. */
export async function getPhysicalInfo({
  client,
  accessToken,
}: PolarAccess): Promise<{ readonly info: PolarPhysicalInfo; readonly raw: Json }> {
  const body = await client.read({ path: `${USERS}/physical-info`, accessToken }).catch((error: unknown) => {
    if (error instanceof RequestRefused && error.isForbidden) return undefined
    throw error
  })
  const raw = withUnderscores(body ?? {})
  return {
    info: PolarPhysicalInfoSchema.catch({ weight: undefined, height: undefined, maximum_heart_rate: undefined }).parse(
      raw,
    ),
    raw,
  }
}

/** Ends the grant of a person, who is then unknown to the app. One that has ended counts as ended. */
export async function deleteUser({ client, accessToken }: PolarAccess): Promise<void> {
  try {
    await client.remove({ path: `${USERS}/{user}`, parameters: { user: memberIdOf(accessToken) }, accessToken })
  } catch (error) {
    const isEnded = error instanceof AccessTokenRejected || (error instanceof RequestRefused && error.isForbidden)
    if (!isEnded) throw error
  }
}

async function listOf(
  access: PolarAccess,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<readonly Json[]> {
  const body = await read(access, path, query)
  return body === null ? [] : parseWhole(PolarListSchema, body, `GET ${path}`)
}

/** Returns the body of a list. Null for an empty one. */
async function read(
  { client, accessToken }: PolarAccess,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Json> {
  const body = await client.read({ path, query, accessToken })
  if (body === undefined) throw new RequestRefused(`GET ${path} answered 404`)
  return withUnderscores(body)
}

/** Deeper values are not read. */
const DEEPEST = 8

/** Returns JSON with underscores in place of the hyphens of its names. Times of a clock have neither. */
function withUnderscores(value: Json, depth = 0): Json {
  if (typeof value !== "object" || value === null || depth > DEEPEST) return value
  if (Array.isArray(value)) return value.map((each) => withUnderscores(each, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name.replaceAll("-", "_"), withUnderscores(each, depth + 1)]),
  )
}
