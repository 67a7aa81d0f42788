import { plural } from "./number.ts"

/** The service's message as a sentence. */
export const sentence = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`

/** "42 seconds", "3 minutes" */
export const waitText = (seconds: number): string =>
  seconds < 90 ? plural(Math.ceil(seconds), "second") : plural(Math.ceil(seconds / 60), "minute")
