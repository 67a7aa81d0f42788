import type { FastifyReply, FastifyRequest } from "fastify"

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** One line of the route table. GET answers HEAD as well. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  readonly path: string
  readonly handle: Handler
  /** Takes changes from pages of any site, because it reads no session cookie. @default only from our own pages */
  readonly fromAnySite?: true
  /** What it reads as a body: JSON, a form or JSON, the bytes as they came, or a form with a file. @default "json" */
  readonly body?: "json" | "form" | "bytes" | "file"
  /** Its response may be megabytes and holds no secret, so it is compressed. */
  readonly isLarge?: true
  /** It explains why the path refuses this method, so it is not listed among the methods that the path takes. */
  readonly isRefusal?: true
  /** Answers an error itself. What it throws goes to the common error handler. @default the common error handler */
  readonly sendError?: (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply
}
