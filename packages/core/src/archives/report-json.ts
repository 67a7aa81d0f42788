import { withoutControls } from "@restwell/providers"

/** A report as JSON that PostgreSQL can store and a terminal can show: names in it are those of the files that people uploaded. */
export const reportJson = (report: object): string =>
  JSON.stringify(report, (_name, value: unknown) => (typeof value === "string" ? withoutControls(value) : value))
