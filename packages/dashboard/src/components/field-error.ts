import { ServiceFailure } from "../api/send.ts"

/** Returns the service's message about this field, to display at the field. */
export const fieldError = (error: Error | null, name: string): string | undefined =>
  isFieldError(error, [name]) ? `${error.message}.` : undefined

/** True if the error is about one of these fields. */
export const isFieldError = (error: Error | null, names: readonly string[]): error is ServiceFailure =>
  error instanceof ServiceFailure && error.field !== undefined && names.includes(error.field)
