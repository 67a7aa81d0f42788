import type { TestService } from "@restwell/testing/service"

/** The date a number of days before the service's UTC date. */
export function daysAgo({ simulator }: TestService, days: number): string {
  const today = Temporal.Instant.fromEpochMilliseconds(simulator.clock.now().getTime()).toZonedDateTimeISO("UTC")
  return today.toPlainDate().subtract({ days }).toString()
}
