import { ServiceFailure } from "../api/send.ts"

/** True if a change was refused because of the current password. */
export const isWrongPassword = (error: Error): boolean =>
  error instanceof ServiceFailure && error.status === 403 && error.message.includes("current password")
