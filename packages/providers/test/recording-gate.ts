import type { CallGate, ReportedLimits } from "../src/index.ts"

/** A gate that lets every call through and remembers: the number of calls, and the reports. */
export function createRecordingGate(): CallGate & {
  readonly acquired: () => number
  readonly reports: ReportedLimits[]
} {
  const reports: ReportedLimits[] = []
  let acquired = 0
  return {
    acquired: () => acquired,
    reports,
    acquire: async () => {
      acquired += 1
    },
    report: async (limits) => {
      reports.push(limits)
    },
  }
}
