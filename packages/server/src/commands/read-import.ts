/** Reads an archive that waits, for a command: its progress and its report in the terminal. */
import { listImports, type receiveImport, runImports } from "@restwell/core"
import { waitUnreferenced } from "../process/wait.ts"
import type { Given } from "./command.ts"
import { type Progress, showProgress } from "./terminal.ts"

type ImportContext = Parameters<typeof runImports>[0]

/** The account that archives are imported into, and the command line. */
export interface ImportInto {
  readonly context: ImportContext & Parameters<typeof receiveImport>[0]
  readonly userId: string
  readonly given: Given
  readonly signal: AbortSignal
}

/** Reads an archive that waits, and shows its progress. */
export async function untilRead({ context, userId, given, signal }: ImportInto, id: string) {
  using progress = showProgress({ label: "importing", isSilent: given.has("json") })
  return finished(context, { userId, id, signal, progress })
}

const LOOK_AGAIN_MS = 300

interface WaitingImport {
  readonly userId: string
  readonly id: string
  readonly signal: AbortSignal
  readonly progress: Progress
}

/** Reads the archive here, unless a running service was faster. */
async function finished(context: ImportContext, waiting: WaitingImport) {
  const { id, signal } = waiting
  for (;;) {
    const ended = new AbortController()
    void followProgress(context, waiting, ended.signal)
    await runImports(context, { signal, only: id }).finally(() => ended.abort())
    const found = await findImport(context, waiting)
    if (!found || found.status === "done" || found.status === "failed")
      return { report: found?.report ?? null, error: found?.error ?? null }
    waiting.progress.update(found.progress)
    await waitUnreferenced(LOOK_AGAIN_MS)
  }
}

async function followProgress(context: ImportContext, waiting: WaitingImport, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    const found = await findImport(context, waiting)
    if (found && !ended.aborted) waiting.progress.update(found.progress)
    await waitUnreferenced(LOOK_AGAIN_MS)
  }
}

const findImport = async (context: ImportContext, { userId, id }: WaitingImport) =>
  (await listImports(context, userId)).find((listed) => listed.id === id)

type Report = NonNullable<Awaited<ReturnType<typeof listImports>>[number]["report"]>

/** A report in the terminal. */
export const describe = ({
  stored,
  unchanged,
  ignored,
  notes,
  from_date,
  to_date,
  by_type,
  dates_by_type: dates,
}: Report): string =>
  [
    `${stored} stored, ${unchanged} unchanged`,
    ...(from_date === null ? [] : [`dates: ${from_date} to ${to_date}`]),
    ...Object.entries(by_type).map(
      ([type, count]) =>
        `${type}: ${count}${dates[type] ? `, ${dates[type].from_date} to ${dates[type].to_date}` : ""}`,
    ),
    ...ignored.map(({ reason, count }) => `ignored ${count}: ${reason}`),
    ...notes.map((note) => `note: ${note}`),
    "",
  ].join("\n")
