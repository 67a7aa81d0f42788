import { type Context, Forbidden, readOwnerId, Unauthorized } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { Accounts } from "../../accounts/accounts.ts"
import type { Session } from "../../accounts/session.ts"
import type { Access, Called, DescribedEndpoint, Description, Tag } from "../../openapi/operation.ts"

/**
 * Answers a request. What it returns is the body, or a function that computes the body. It refuses what is to be refused before it returns a
 * function, because HEAD does not call that.
 */
export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** The same for the person who is signed in. */
export type SessionHandler = (session: Session, reply: FastifyReply, request: FastifyRequest) => Promise<unknown>

/** Answers an error. What it throws goes to the common error handler. */
export type SendError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** How an endpoint is served. GET answers HEAD as well, unless a visit changes something. */
interface Served extends Called {
  /** Its response may be megabytes and holds no secret, so it is compressed. */
  readonly isLarge?: true
  /** GET that changes something, as a step of a sign-in that works once. HEAD gets 405. */
  readonly isVisit?: true
  /** It explains why the path refuses this method, so it is not listed among the methods that the path takes. */
  readonly isRefusal?: true
}

/** Pages, and what another specification describes, are not in the OpenAPI document. */
type Undescribed = { readonly [Field in keyof Description]?: never }

interface OpenlyServed<Services> extends Served {
  readonly access: Exclude<Access, "session" | "owner">
  readonly handle: (services: Services) => Handler
  readonly sendError?: (services: Services) => SendError
}

/** Its handler is called with the session, so it cannot forget to ask for one. */
interface GuardedServed<Services, Person extends "session" | "owner"> extends Served {
  readonly access: Person
  readonly handle: (services: Services) => SessionHandler
  readonly sendError?: (services: Services) => SendError
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

/** An endpoint with what its handler calls. */
export interface Route extends Served {
  readonly handle: Handler
  readonly sendError?: SendError
}

export const openRoute = <Services>(endpoint: OpenEndpoint<Services>, services: Services): Route => {
  const { handle, sendError, ...served } = endpoint
  return { ...served, handle: handle(services), ...(sendError && { sendError: sendError(services) }) }
}

/** What finds out who calls. */
interface Guards {
  readonly context: Context
  readonly accounts: Accounts
}

export function routeOf<Services extends Guards>(endpoint: Endpoint<Services>, services: Services): Route {
  if (endpoint.access !== "session" && endpoint.access !== "owner") return openRoute(endpoint, services)
  const guard = endpoint.access === "owner" ? withOwner : withSession
  const guarded = endpoint.handle(services)
  const { handle: _, sendError, ...served } = endpoint
  return { ...served, handle: guard(services, guarded), ...(sendError && { sendError: sendError(services) }) }
}

/** Node's headers as the web's. */
export function headersOf({ headers }: FastifyRequest): Headers {
  const result = new Headers()
  for (const [name, value] of Object.entries(headers))
    for (const each of [value ?? []].flat()) result.append(name, each)
  return result
}

/** A handler for the person who is signed in. Its responses are not cached. @throws {Unauthorized} */
const withSession =
  ({ accounts }: Guards, handle: SessionHandler): Handler =>
  async (request, reply) => {
    reply.header("cache-control", "no-store")
    const session = await accounts.sessionOf(headersOf(request))
    if (!session) throw new Unauthorized("not signed in: sign in at /api/auth/sign-in/email first")
    for (const cookie of session.renewal) reply.header("set-cookie", cookie)
    return handle(session, reply, request)
  }

/** A handler for the owner of this installation. @throws {Unauthorized} @throws {Forbidden} for other people */
const withOwner = (guards: Guards, handle: SessionHandler): Handler =>
  withSession(guards, async (session, reply, request) => {
    if ((await readOwnerId(guards.context)) !== session.userId)
      throw new Forbidden("only the owner of this installation may do this")
    return handle(session, reply, request)
  })
