/** The first day of the UTC month an instant lies in, YYYY-MM-01: the key its requests are counted under. */
export const monthOf = (instant: Date): string => `${instant.toISOString().slice(0, 7)}-01`

/** The first instant of the UTC month after the one an instant lies in: when the quota resets. */
export const nextMonth = (instant: Date): Date =>
  new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + 1, 1))
