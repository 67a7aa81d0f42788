// The status that Withings writes into the body of an answer, whose HTTP status is 200 whatever happened.
// https://developer.withings.com/api-reference/#section/Response-status
import { z } from "zod"
import type { Answer } from "../http/exchange.ts"

const AUTHENTICATION_FAILED: ReadonlySet<number> = new Set([100, 101, 102, 200, 401])
/** The person did not grant the scope, or the app may not have it. */
const NOT_AUTHORIZED: ReadonlySet<number> = new Set([214, 277, 2553, 2554, 2555])
const TOO_MANY: ReadonlySet<number> = new Set([601, 602])
const TIMEOUT = 522

/** Ranges of statuses that name a wrong parameter, both ends included. */
const WRONG_PARAMETER: readonly (readonly [first: number, last: number])[] = [
  [201, 213],
  [216, 218],
  [220, 221],
  [223, 223],
  [225, 225],
  [227, 230],
  [234, 236],
  [238, 238],
  [240, 252],
  [254, 254],
  [260, 267],
  [271, 272],
  [275, 276],
  [283, 286],
  [288, 288],
  [290, 290],
  [293, 295],
  [297, 297],
  [300, 304],
  [321, 321],
  [323, 353],
  [380, 382],
  [400, 400],
  [501, 511],
  [523, 523],
  [532, 532],
  [3017, 3019],
]

/** Returns the HTTP status that means the same. One that is not known is an error of the vendor, which passes. */
function httpStatusOf(status: number): number {
  if (status === 0) return 200
  if (AUTHENTICATION_FAILED.has(status)) return 401
  if (NOT_AUTHORIZED.has(status)) return 403
  if (TOO_MANY.has(status)) return 429
  if (status === TIMEOUT) return 504
  return WRONG_PARAMETER.some(([first, last]) => status >= first && status <= last) ? 400 : 503
}

/** The parts of every answer. `error` is a text for developers. */
const EnvelopeSchema = z.object({ status: z.int(), body: z.unknown(), error: z.string().nullish().catch(undefined) })
type Envelope = z.infer<typeof EnvelopeSchema>

/** Undefined for anything else, such as the page of a proxy. */
function envelopeOf({ status, text }: Answer): Envelope | undefined {
  if (status !== 200) return undefined
  try {
    return EnvelopeSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Returns an answer of the data API with the HTTP status that it means. */
export function meaningOf(answer: Answer): Answer {
  const envelope = envelopeOf(answer)
  return envelope === undefined ? answer : { ...answer, status: httpStatusOf(envelope.status) }
}

/** The status of a wrong or old code and of a wrong refresh token, and of wrong credentials of the app. The text tells which. */
const REFUSED_TOKEN = 503
const IS_ABOUT_APP = /client|consumer/i

/**
 * Returns an answer of the token endpoint as OAuth has it (RFC 6749, 5.1 and 5.2).
 * @param present makes the tokens of a successful one
 */
export function tokenMeaningOf(answer: Answer, present: (body: unknown) => unknown): Answer {
  const envelope = envelopeOf(answer)
  if (envelope === undefined) return answer
  const { status, body, error } = envelope
  const refused = (code: string) => ({ ...answer, status: 400, text: JSON.stringify({ error: code }) })
  if (status === 0) return { ...answer, text: JSON.stringify(present(body)) }
  if (status !== REFUSED_TOKEN && !AUTHENTICATION_FAILED.has(status))
    return { ...answer, status: httpStatusOf(status), text: "" }
  return refused(IS_ABOUT_APP.test(error ?? "") ? "invalid_client" : "invalid_grant")
}
