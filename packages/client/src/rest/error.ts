import { z } from "zod"

/** Fields of every error body. */
export const ErrorResponseSchema = z
  .object({
    error: z.string().meta({ description: "A stable code for programs" }),
    message: z.string().meta({ description: "A sentence for people: what went wrong and what to do next" }),
  })
  .meta({ id: "Error" })

/** 400: a parameter is invalid. */
export const InvalidRequestResponseSchema = ErrorResponseSchema.extend({
  error: z.literal("invalid_request"),
  field: z.string().meta({ description: "The invalid parameter or part of the request", example: "days" }),
}).meta({ id: "InvalidRequestError" })

/** 403: the key does not open what was asked for. */
export const NotOpenedResponseSchema = ErrorResponseSchema.extend({
  error: z.literal("forbidden"),
  scope: z
    .string()
    .optional()
    .meta({ description: "The type of data that the key does not open", example: "recovery" }),
  from_date: z.string().optional().meta({
    description: "The oldest date that the key opens, where older ones were asked for",
    format: "date",
    example: "2026-11-14",
  }),
}).meta({ id: "NotOpenedError" })

/** 429: the monthly quota is used up, or too many expensive reads of the person run at a time. */
export const QuotaExceededResponseSchema = ErrorResponseSchema.extend({
  error: z.literal("rate_limited"),
  limit: z.int().meta({ description: "Requests in a month, or expensive reads at a time", example: 1000 }),
  reset: z.string().meta({
    description: "When the quota resets, or when to try again, UTC",
    format: "date-time",
    example: "2026-12-01T00:00:00.000Z",
  }),
}).meta({ id: "RateLimitedError" })

/** 429: more often, or more at a time, than one person may. */
export const TooManyRequestsResponseSchema = ErrorResponseSchema.extend({
  error: z.literal("rate_limited"),
  limit: z.int().meta({ description: "How many are allowed: in a minute, or at a time", example: 1 }),
  reset: z.string().optional().meta({
    description: "When the next one is allowed, UTC. Absent where another request has to end first",
    format: "date-time",
    example: "2026-11-20T14:32:00.000Z",
  }),
}).meta({ id: "TooManyRequestsError" })

/** 500: an internal error of the service. */
export const InternalErrorResponseSchema = ErrorResponseSchema.extend({
  error: z.literal("internal_error"),
  request_id: z.string().meta({ description: "The id of the request. Include it in a bug report" }),
}).meta({ id: "InternalError" })

export type ErrorResponse = z.infer<typeof ErrorResponseSchema>
export type InvalidRequestResponse = z.infer<typeof InvalidRequestResponseSchema>
export type QuotaExceededResponse = z.infer<typeof QuotaExceededResponseSchema>
export type InternalErrorResponse = z.infer<typeof InternalErrorResponseSchema>
