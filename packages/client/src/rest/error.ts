import { z } from "zod"

/** What every error body has. Spec 7. */
export const ErrorResponseSchema = z
  .object({
    error: z.string().meta({ description: "A stable code for programs" }),
    message: z.string().meta({ description: "What went wrong and what to do next, for people" }),
  })
  .meta({ id: "Error" })

/** 400: a parameter is not what it should be. */
export const InvalidRequestResponseSchema = ErrorResponseSchema.extend({
  error: z.literal("invalid_request"),
  field: z.string().meta({ description: "The parameter or part of the request that is wrong", example: "days" }),
}).meta({ id: "InvalidRequestError" })

/** 429: the monthly quota is used up. Spec 7. */
export const QuotaExceededResponseSchema = ErrorResponseSchema.extend({
  error: z.literal("rate_limited"),
  limit: z.int().meta({ description: "Requests in a month", example: 1000 }),
  reset: z.string().meta({
    description: "When the quota resets, UTC",
    format: "date-time",
    example: "2026-12-01T00:00:00.000Z",
  }),
}).meta({ id: "RateLimitedError" })

/** 500: a fault on the server's side. */
export const InternalErrorResponseSchema = ErrorResponseSchema.extend({
  error: z.literal("internal_error"),
  request_id: z.string().meta({ description: "Name it when you report the fault" }),
}).meta({ id: "InternalError" })

export type ErrorResponse = z.infer<typeof ErrorResponseSchema>
export type InvalidRequestResponse = z.infer<typeof InvalidRequestResponseSchema>
export type QuotaExceededResponse = z.infer<typeof QuotaExceededResponseSchema>
export type InternalErrorResponse = z.infer<typeof InternalErrorResponseSchema>
