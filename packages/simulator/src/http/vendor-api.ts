import type { FastifyInstance } from "fastify"
import type { ReplyError } from "./reply-error.ts"

/** The part of the HTTP server that differs between vendors. */
export interface VendorApi {
  addRoutes(app: FastifyInstance): void
  /** Returns the user id behind a token or code, valid or not. */
  ownerOf(token: string): number | undefined
  /** Returns the vendor's reply to a request over the rate limit. */
  rateLimitExceeded(): ReplyError
}
