import { type AccountResponse, IMPORTED, type Import } from "@restwell/client"
import { figure, plural } from "@restwell/client/figures"
import { type DragEvent, useId, useRef, useState } from "react"
import { isRunning, useImports, useUndoImport, useUpload } from "../api/imports.ts"
import { Button } from "../components/button.tsx"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"
import { StepTabs } from "../components/instructions.tsx"
import { FailureNotice, Loaded, Skeleton } from "../components/notice.tsx"
import { Disclosure } from "../components/page.tsx"
import { TimeAgo } from "../components/time-ago.tsx"
import { datesText } from "../metrics/answer-text.ts"

/** Takes an archive by drag and drop or from a dialog, and shows how much of it was sent. @param of whose archive it is, where there are several */
export function ArchiveUpload({ of }: { of?: string }) {
  const upload = useUpload()
  const [isOver, setOver] = useState(false)
  const [includesPrivate, setIncludesPrivate] = useState(false)
  const [fraction, setFraction] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const hint = useId()
  const start = (file: File | undefined) => {
    if (!file || upload.isPending) return
    setFraction(0)
    upload.mutate({ file, includesPrivate, onProgress: setFraction })
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    start(event.dataTransfer.files[0])
  }
  return (
    <div className="flex flex-col gap-3">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same for keyboards and screen readers */}
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        className={`flex flex-col items-center gap-3 rounded-xl border-2 border-dashed px-4 py-6 text-center text-sm ${
          isOver ? "border-accent bg-accent-soft" : "border-line"
        }`}
      >
        {upload.isPending ? (
          <Progress label="Uploading" fraction={fraction} />
        ) : (
          <>
            <p id={hint} className="text-muted">
              Drop a file here as the vendor sent it. Do not unpack it.
            </p>
            <Button look="primary" aria-describedby={hint} onClick={() => input.current?.click()}>
              Choose a file
              {of !== undefined && <span className="sr-only"> of {of}</span>}
            </Button>
          </>
        )}
        {/* Archives are known by their content, and Gadgetbridge's has no ending: every file can be chosen. */}
        <input
          ref={input}
          type="file"
          aria-label={of === undefined ? "Archive" : `Archive of ${of}`}
          tabIndex={-1}
          className="sr-only"
          onChange={(event) => {
            start(event.target.files?.[0])
            event.target.value = ""
          }}
        />
      </div>
      <label className="flex cursor-pointer items-start gap-3 text-sm">
        <input
          type="checkbox"
          checked={includesPrivate}
          onChange={(event) => setIncludesPrivate(event.target.checked)}
          className="mt-0.5 size-5 shrink-0 accent-text"
        />
        <span>
          <span className="font-medium">Include private journal topics</span>
          <span className="block text-muted">
            Sex, drugs, medication, menstruation and mental health. Left out by default.
          </span>
        </span>
      </label>
      {upload.error && <FailureNotice error={upload.error} />}
    </div>
  )
}

/** Browsers draw bars of their own, in which 0 % looks like the end. */
const BAR =
  "block h-2 w-full appearance-none overflow-hidden rounded-full border-0 bg-line [&::-webkit-progress-bar]:bg-line " +
  "[&::-webkit-progress-value]:bg-accent [&::-moz-progress-bar]:bg-accent"

/** A bar with its percentage. */
const Progress = ({ label, fraction }: { label: string; fraction: number }) => (
  <div className="w-full max-w-sm text-sm">
    <p className="mb-1 flex justify-between gap-3">
      <span>{label}</span>
      <span className="text-muted tabular-nums">{Math.floor(fraction * 100)} %</span>
    </p>
    <progress aria-label={label} value={fraction} max={1} className={BAR} />
  </div>
)

/** Uploads archives, and lists what each one brought. What a device of the person brought before is behind the device. */
export const Archives = ({
  account: { archives },
  added,
}: {
  account: Pick<AccountResponse, "archives">
  /** Sources whose imports are shown elsewhere. */
  added: readonly string[]
}) => (
  <div className="flex flex-col gap-5">
    <StepTabs
      label="Where the file comes from"
      tabs={[...archives.map(({ display_name: name, steps }) => ({ name, steps })), OWN_EXPORT]}
    />
    <ArchiveUpload />
    <NewImports added={added} />
  </div>
)

/**
 * What archives and pushes of a source brought.
 * @param isUploadHere an archive that nobody has looked into yet, or that none could read, may have been uploaded beside the list
 */
export const ImportList = ({ of, isUploadHere = false }: { of: string; isUploadHere?: boolean }) => (
  <Loaded query={useImports()} skeleton={<Skeleton className="h-16" label="Loading your imports" />}>
    {({ imports }) => (
      <Entries imports={imports.filter(({ kind }) => (kind === null ? isUploadHere : IMPORTED[kind].source === of))} />
    )}
  </Loaded>
)

/** What was uploaded since the page was opened, what failed, and exports of a Restwell, which are of no device. */
const NewImports = ({ added }: { added: readonly string[] }) => (
  <Loaded query={useImports()} skeleton={<Skeleton className="h-16" label="Loading your imports" />}>
    {({ imports }) => <SinceOpened imports={imports.filter(({ kind }) => !isOf(kind, added))} />}
  </Loaded>
)

function SinceOpened({ imports }: { imports: readonly Import[] }) {
  const [before] = useState(() => new Set(imports.map(({ id }) => id)))
  return (
    <Entries
      imports={imports.filter(({ id, kind }) => !before.has(id) || kind === null || IMPORTED[kind].source === null)}
    />
  )
}

function isOf(kind: Import["kind"], sources: readonly string[]): boolean {
  const source = kind === null ? null : IMPORTED[kind].source
  return source !== null && sources.includes(source)
}

const Entries = ({ imports }: { imports: readonly Import[] }) =>
  imports.length > 0 && (
    <ul aria-label="Imports" className="divide-y divide-line">
      {imports.map((each) => (
        <Entry key={each.id} imported={each} />
      ))}
    </ul>
  )

const OWN_EXPORT = { name: "Restwell", steps: ["On the page Account of another Restwell, choose Export."] }

function Entry({ imported }: { imported: Import }) {
  const undo = useUndoImport()
  const { id, file_name: name, kind, status, progress, report, error, created_at: createdAt } = imported
  return (
    <li className="flex flex-wrap items-start justify-between gap-3 py-4">
      <div className="min-w-0 flex-1 basis-64 text-sm">
        <p className="font-medium break-words">{kind === "push" ? IMPORTED.push.name : name}</p>
        <p className="text-muted">
          {kind === "push" ? "Since " : `${kind === null ? "" : `${IMPORTED[kind].name}, `}uploaded `}
          <TimeAgo instant={createdAt} />
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
        title={
          kind === "push"
            ? "Remove all that phones pushed?"
            : status === "done"
              ? `Undo the import of ${name}?`
              : `Remove ${name}?`
        }
        confirmLabel={status === "done" ? "Undo import" : "Remove"}
        onConfirm={() => undo.mutateAsync(id)}
      >
        <p>
          What {kind === "push" ? "pushes" : "this file"} alone brought is deleted. Data that a connection or another
          archive also has stays.
        </p>
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
  weight: "weights",
  heart_rate: "heart rates",
  hrv: "values of HRV",
}

function Report({ report }: { report: NonNullable<Import["report"]> }) {
  const { stored, unchanged, ignored, notes, by_type: byType, dates_by_type: dates } = report
  return (
    <div className="mt-1 flex flex-col gap-0.5">
      <p>
        {figure(stored)} stored, {figure(unchanged)} already here
      </p>
      <ul aria-label="Types" className="text-muted">
        {Object.entries(byType).map(([type, count]) => (
          <li key={type}>
            {figure(count)} {NAMES[type] ?? `values of ${type.replaceAll("_", " ")}`}
            {dates[type] && `, ${datesText({ start_date: dates[type].from_date, end_date: dates[type].to_date })}`}
          </li>
        ))}
      </ul>
      {notes.map((note) => (
        <p key={note} className="text-muted">
          {note}.
        </p>
      ))}
      {ignored.length > 0 && (
        <Disclosure
          summary={`${plural(
            ignored.reduce((sum, { count }) => sum + count, 0),
            "row",
          )} left out`}
          className="text-muted"
          summaryClass="w-fit hover:text-text"
        >
          <ul className="mt-1 list-disc pl-5">
            {ignored.map(({ reason, count }) => (
              <li key={reason} className="break-words">
                {reason === "private_topic" ? "answers about private topics" : reason} ({figure(count)})
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
    </div>
  )
}
