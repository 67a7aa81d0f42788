/** What this process hears of: the table in which somebody added work or changed a setting, which PostgreSQL announces, and settings in use. */
import type { Wait } from "@restwell/core"
import type { RepeatOptions } from "../process/wait.ts"

/** How often a process looks by itself. What it does not hear it has to look for. */
const LOOK_EVERY_MS = { listening: 30_000, deaf: 2_000 }

/** Announced once this process uses changed settings: who looks at the announcement of their table may still have the former ones. */
export const SETTINGS_IN_USE = "settings in use"

export interface Announcements {
  /** @param subject a table or SETTINGS_IN_USE. Undefined when something may have been announced while nobody listened */
  ring(subject?: string): void
  /** Returns when to look: as soon as one of the subjects is announced, also since the last look, and now and then. */
  looks(subjects: readonly string[], wait: Wait): Pick<RepeatOptions, "everyMs" | "wait">
}

/** @param isListening false if nobody rings */
export function createAnnouncements(isListening: boolean): Announcements {
  const bells = new Set<(subject?: string) => void>()
  return {
    ring(subject) {
      for (const ring of bells) ring(subject)
    },
    looks(subjects, wait) {
      let bell = new AbortController()
      bells.add((subject) => {
        if (subject === undefined || subjects.includes(subject)) bell.abort()
      })
      return {
        everyMs: isListening ? LOOK_EVERY_MS.listening : LOOK_EVERY_MS.deaf,
        async wait(milliseconds, signal) {
          try {
            await wait(milliseconds, AbortSignal.any([bell.signal, ...(signal ? [signal] : [])]))
          } catch (error) {
            if (!bell.signal.aborted || signal?.aborted) throw error
          }
          bell = new AbortController()
        },
      }
    },
  }
}
