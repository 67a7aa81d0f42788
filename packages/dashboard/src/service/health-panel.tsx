import type { ServiceResponse } from "@restwell/client"
import { plural } from "@restwell/client/figures"
import { HOUR_MS } from "@restwell/client/time-units"
import { Notice } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"
import { useNow } from "../components/time-ago.tsx"
import { bytesText, sentence } from "../format/number.ts"
import { providerName } from "../format/provider-name.ts"

interface Problem {
  readonly tone: "poor" | "fair" | "info"
  readonly title: string
  /** What to do about it. */
  readonly remedy: string
}

/** What needs somebody's attention, and what to do about it. */
export function HealthPanel({ service }: { service: ServiceResponse }) {
  const problems = problemsOf(service, useNow())
  const { waiting_syncs: waiting } = service.failures
  return (
    <Panel title="Health" description="What needs somebody's attention. Health data is never shown here.">
      <div className="flex flex-col gap-3 text-sm">
        {problems.every(({ tone }) => tone === "info") && <Notice tone="good">Everything works.</Notice>}
        {problems.map(({ tone, title, remedy }) => (
          <Notice key={title} tone={tone} title={title}>
            {remedy}
          </Notice>
        ))}
        <p className="text-muted">{waiting === 0 ? "No sync is waiting." : `${plural(waiting, "sync")} waiting.`}</p>
      </div>
    </Panel>
  )
}

/** A disk with less is about to stop the database. */
const LITTLE_BYTES = 500 * 1_048_576

function problemsOf(service: ServiceResponse, nowMs: number): readonly Problem[] {
  const { failures, unreadable_settings: unreadable, storage } = service
  const problems: (Problem | false)[] = [
    unreadable.length > 0 && {
      tone: "poor",
      title: "Stored settings cannot be decrypted",
      remedy: `Restore the former secret, or enter them again: ${unreadable.join(", ")}.`,
    },
    failures.unreadable_connections > 0 && {
      tone: "poor",
      title: "Stored vendor tokens cannot be decrypted",
      remedy: `Restore the former secret and restart, and ${plural(failures.unreadable_connections, "connection")} will resume. Or let these people connect again.`,
    },
    storage.free_bytes !== null &&
      storage.free_bytes < LITTLE_BYTES && {
        tone: "poor",
        title: `The disk has only ${bytesText(storage.free_bytes)} left`,
        remedy: "Free some space, or move the data to a larger disk. New data is not stored on a full disk.",
      },
    ...failures.connections.map(connectionProblem),
    failures.rejected_records > 0 && {
      tone: "fair",
      title: `${plural(failures.rejected_records, "record")} of vendors could not be read by this version`,
      remedy: "Install the newest version of Restwell. It reads them again by itself.",
    },
    service.mail.failures > 0 && {
      tone: "fair",
      title: `The mail server has not taken ${plural(service.mail.failures, "email")}`,
      remedy: "The part “Email” below has its answer. They are tried again by themselves.",
    },
    ...backupProblems(service.backup, nowMs),
  ]
  return problems.filter((problem) => problem !== false)
}

type Failure = ServiceResponse["failures"]["connections"][number]

function connectionProblem({ provider, status, reason, count }: Failure): Problem {
  const vendor = providerName(provider)
  const what = `${vendor}: ${plural(count, "connection")}`
  const why = reason === null ? "" : `${sentence(reason)} `
  switch (status) {
    case "reauthorization_required":
      return {
        tone: "fair",
        title: `${what} to be renewed`,
        remedy: `${why}Each person opens the page Connections and presses Reconnect.`,
      }
    case "vendor_unavailable":
      return {
        tone: "fair",
        title: `${what} that cannot be read now`,
        remedy: `${why}If it takes hours, check the network of this machine.`,
      }
    default:
      return {
        tone: "poor",
        title: `${what} failing`,
        remedy: `${why}If it goes on, run “restwell doctor”, which names the cause.`,
      }
  }
}

function backupProblems({ last, failure, schedule, is_running: isRunning }: ServiceResponse["backup"], nowMs: number) {
  const problems: Problem[] = []
  if (failure)
    problems.push({
      tone: "poor",
      title: "The last backup failed",
      remedy: `${sentence(failure.error ?? "it was interrupted")} Correct that, and press “Back up now”. Restwell also tries again every quarter of an hour.`,
    })
  if (schedule === null && last === null && !isRunning)
    problems.push({
      tone: "info",
      title: "There is no backup yet",
      remedy: "Choose a folder in the part “Backups”. Restwell then makes one every day.",
    })
  const hours = last ? (nowMs - Date.parse(last.started_at)) / HOUR_MS : 0
  if (schedule !== null && !failure && hours > 2 * schedule.every_hours + 1)
    problems.push({
      tone: "poor",
      title: `The last backup is ${plural(Math.floor(hours), "hour")} old`,
      remedy: "Backups are made by a worker: start “restwell start --role worker”, or read its log.",
    })
  return problems
}
