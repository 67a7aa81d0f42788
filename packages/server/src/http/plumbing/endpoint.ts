import { type Context, Forbidden, readOwnerId, Unauthorized } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { Accounts } from "../../accounts/accounts.ts"
import { cookiesIn } from "../../accounts/better-auth.ts"
import type { Session } from "../../accounts/session.ts"
import type { Access, Called, DescribedEndpoint, Description, Tag } from "../../openapi/operation.ts"

/** A request and its reply. */
export interface Call {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** A request of the person who is signed in. */
export interface SessionCall extends Call {
  readonly session: Session
}

/**
 * Answers a request. What it returns is the body, or a function that computes the body. It refuses what is to be refused before it returns a
 * function, because HEAD does not call that.
 */
export type Handler<Services> = (services: Services, call: Call) => Promise<unknown>

/** Answers a request of the person who is signed in. */
export type SessionHandler<Services> = (services: Services, call: SessionCall) => Promise<unknown>

/** Answers an error. What it throws goes to the common error handler. */
export type SendError<Services> = (error: unknown, services: Services, call: Call) => FastifyReply

/** How an endpoint is served. GET answers HEAD as well, unless a visit changes something. */
interface Served extends Called {
  /** Its response may be megabytes and holds no secret, so it is compressed. */
  readonly isLarge?: true
  /** The most bytes of its JSON or form. @default 16 KB, and 4 KB of JSON from anybody: names of an object cost the thread that answers everybody */
  readonly mostBodyBytes?: number
  /** GET that changes something, as a step of a sign-in that works once. HEAD gets 405. */
  readonly isVisit?: true
  /** Another service asks with HEAD whether the address of the visit exists: 200 for anybody, and nothing happens. Its `sendError` answers GET. */
  readonly isProbed?: true
  /** It explains why the path refuses this method, so it is not listed among the methods that the path takes. */
  readonly isRefusal?: true
}

/** Pages, and what another specification describes, are not in the OpenAPI document. */
type Undescribed = { readonly [Field in keyof Description]?: never }

interface OpenlyServed<Services> extends Served {
  readonly access: Exclude<Access, "session" | "owner">
  readonly handle: Handler<Services>
  readonly sendError?: SendError<Services>
}

/** Its handler is called with the session, so it cannot forget to ask for one. */
interface GuardedServed<Services, Person extends "session" | "owner"> extends Served {
  readonly access: Person
  readonly handle: SessionHandler<Services>
  readonly sendError?: SendError<Services>
}

/** An endpoint whose handler gets no session. */
export type OpenEndpoint<Services> = OpenlyServed<Services> & (Description | Undescribed)

/** All that there is to know about an endpoint. Fastify's route, 405, the OpenAPI document and the reference follow from it. */
export type Endpoint<Services> =
  | OpenEndpoint<Services>
  | ((GuardedServed<Services, "session"> | GuardedServed<Services, "owner">) & (Description | Undescribed))

/** The endpoints of a subject, under one tag of the document. */
export const defineEndpoints = <Services>(
  tag: Tag,
  endpoints: readonly Endpoint<Services>[],
): readonly Endpoint<Services>[] =>
  endpoints.map((endpoint) => (endpoint.id === undefined ? endpoint : { ...endpoint, tag }))

/** The endpoints of the OpenAPI document. */
export const describedOf = (endpoints: readonly (Called & (Description | Undescribed))[]): DescribedEndpoint[] =>
  endpoints.flatMap((endpoint) => (endpoint.id === undefined ? [] : [endpoint]))

/** An endpoint as Fastify calls it. */
export interface Route extends Served {
  readonly handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  readonly sendError?: (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply
}

/** @param live what the handler calls, at each request: it changes with the public address */
export function openRoute<Services>(
  endpoint: Served & Pick<OpenlyServed<Services>, "handle" | "sendError">,
  live: () => Services,
): Route {
  const { handle, sendError, ...served } = endpoint
  return {
    ...served,
    handle: (request, reply) => handle(live(), { request, reply }),
    ...(sendError && {
      sendError: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
        sendError(error, live(), { request, reply }),
    }),
  }
}

/** What finds out who calls. */
interface Guards {
  readonly context: Context
  readonly accounts: Accounts
}

/** An email address, a password and a name, or the token of a link. */
const MOST_BYTES_OF_ANYBODY = 4_096

/** The route of an endpoint that may need a session. @param live as for `openRoute` */
export function routeOf<Services extends Guards>(endpoint: Endpoint<Services>, live: () => Services): Route {
  if (endpoint.access === "anybody" && endpoint.bodyType === undefined)
    return openRoute({ mostBodyBytes: MOST_BYTES_OF_ANYBODY, ...endpoint }, live)
  if (endpoint.access !== "session" && endpoint.access !== "owner") return openRoute(endpoint, live)
  const guard = endpoint.access === "owner" ? withOwner : withSession
  return openRoute({ ...endpoint, handle: guard(endpoint.handle) }, live)
}

/** A browser has one for each account that signed in there, and a few of the service's own. */
const MOST_COOKIES = 64

/** Node's headers as the web's, with the cookies that are ours. */
export function headersOf({ headers }: FastifyRequest): Headers {
  const result = new Headers()
  for (const [name, value] of Object.entries(headers))
    for (const each of [value ?? []].flat()) result.append(name, each)
  const cookies = ownCookies(headers.cookie)
  if (cookies === "") result.delete("cookie")
  else result.set("cookie", cookies)
  return result
}

/** The cookies of other programs at the same host, or of a stranger, cost the library of the sessions time. */
const ownCookies = (header = ""): string =>
  cookiesIn(header)
    .filter((cookie) => /^(?:__Secure-|__Host-)?restwell\./.test(cookie))
    .slice(0, MOST_COOKIES)
    .join("; ")

/** A handler for the person who is signed in. @throws {Unauthorized} */
const withSession =
  <Services extends Guards>(handle: SessionHandler<Services>): Handler<Services> =>
  async (services, { request, reply }) => {
    const session = await services.accounts.sessionOf(headersOf(request))
    if (!session) throw new Unauthorized("not signed in: sign in at /api/auth/sign-in/email first")
    for (const cookie of session.renewal) reply.header("set-cookie", cookie)
    return handle(services, { session, request, reply })
  }

/** A handler for the owner of this installation. @throws {Unauthorized} @throws {Forbidden} for other people */
const withOwner = <Services extends Guards>(handle: SessionHandler<Services>): Handler<Services> =>
  withSession(async (services, call) => {
    if ((await readOwnerId(services.context)) !== call.session.userId)
      throw new Forbidden("only the owner of this installation may do this")
    return handle(services, call)
  })
