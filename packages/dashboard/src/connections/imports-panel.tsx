import type { Import } from "@restwell/client"
import { isRunning, useImports, useUndoImport } from "../api/imports.ts"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"
import { Loaded } from "../components/loaded.tsx"
import { Panel } from "../components/panel.tsx"
import { Skeleton } from "../components/skeleton.tsx"
import { TimeAgo } from "../components/time-ago.tsx"
import { fullDate } from "../format/date.ts"
import { figure, plural } from "../format/number.ts"
import { ArchiveUpload, Progress } from "./archive-upload.tsx"

/** Uploads archives, and lists what each one brought. */
export const ImportsPanel = () => (
  <Panel
    title="Archives"
    description="Bring your history and your journal. WHOOP: in the app under Settings, Data Export. Oura: in the Membership Hub under Export data. What a connection delivers too stays as it is."
  >
    <div className="flex flex-col gap-5">
      <ArchiveUpload />
      <Loaded query={useImports()} skeleton={<Skeleton className="h-16" label="Loading your imports" />}>
        {({ imports }) =>
          imports.length > 0 && (
            <ul aria-label="Imports" className="divide-y divide-line">
              {imports.map((each) => (
                <Entry key={each.id} imported={each} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  </Panel>
)

const KINDS: Readonly<Record<NonNullable<Import["kind"]>, string>> = {
  whoop_archive: "WHOOP archive",
  oura_archive: "Oura archive",
  restwell_export: "Restwell export",
}

function Entry({ imported }: { imported: Import }) {
  const undo = useUndoImport()
  const { id, file_name: name, kind, status, progress, report, error, created_at: createdAt } = imported
  return (
    <li className="flex flex-wrap items-start justify-between gap-3 py-4">
      <div className="min-w-0 flex-1 basis-64 text-sm">
        <p className="font-medium break-words">{name}</p>
        <p className="text-muted">
          {kind !== null && `${KINDS[kind]}, `}uploaded <TimeAgo instant={createdAt} />
        </p>
        {isRunning(imported) && <Progress label={status === "queued" ? "Waiting" : "Importing"} fraction={progress} />}
        {error !== null && (
          <p className="mt-1 text-poor">
            Failed: {error}. <span className="text-muted">Nothing was stored.</span>
          </p>
        )}
        {report !== null && <Report report={report} />}
      </div>
      <ConfirmDialog
        trigger={status === "done" ? "Undo" : isRunning(imported) ? "Stop" : "Remove"}
        label={`${status === "done" ? "Undo" : "Remove"} ${name}`}
        title={status === "done" ? `Undo the import of ${name}?` : `Remove ${name}?`}
        confirmLabel={status === "done" ? "Undo import" : "Remove"}
        onConfirm={() => undo.mutateAsync(id)}
      >
        <p>What this file alone brought is deleted. Data that a connection or another archive also has stays.</p>
      </ConfirmDialog>
    </li>
  )
}

const NAMES: Readonly<Record<string, string>> = {
  sleep: "sleeps",
  recovery: "recoveries",
  workout: "workouts",
  cycle: "cycles",
  journal: "journal answers",
}

function Report({ report }: { report: NonNullable<Import["report"]> }) {
  const { stored, unchanged, ignored, from_date: from, to_date: to, by_type: byType } = report
  const types = Object.entries(byType).map(([type, count]) => `${figure(count)} ${NAMES[type] ?? type}`)
  return (
    <div className="mt-1 flex flex-col gap-0.5">
      <p>
        {figure(stored)} stored, {figure(unchanged)} already here
        {from !== null && to !== null && `, ${fullDate(from)} to ${fullDate(to)}`}
      </p>
      {types.length > 0 && <p className="text-muted">{types.join(", ")}</p>}
      {ignored.length > 0 && (
        <details className="text-muted">
          <summary className="cursor-pointer">
            {plural(
              ignored.reduce((sum, { count }) => sum + count, 0),
              "row",
            )}{" "}
            left out
          </summary>
          <ul className="mt-1 list-disc pl-5">
            {ignored.map(({ reason, count }) => (
              <li key={reason} className="break-words">
                {reason === "private_topic" ? "answers about private topics" : reason} ({figure(count)})
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
