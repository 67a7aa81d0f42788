import type { ServiceResponse } from "@restwell/client"
import { plural } from "@restwell/client/figures"
import { useState } from "react"
import { useRemoveBackup, useRunBackup, useSetBackup } from "../api/service.ts"
import { Button } from "../components/button.tsx"
import { Select } from "../components/choice.tsx"
import { Form, fieldError, isFieldError, TextField, useFields } from "../components/form.tsx"
import { FailureNotice, Notice } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"
import { TimeAgo } from "../components/time-ago.tsx"
import { bytesText } from "../format/number.ts"

type Backup = ServiceResponse["backup"]

/** The last backup, one now, and the folder and interval of the next ones. */
export function BackupPanel({ backup, environment }: Pick<ServiceResponse, "backup" | "environment">) {
  const run = useRunBackup()
  const { last, schedule, source, is_running: isRunning } = backup
  return (
    <Panel
      title="Backups"
      description="A backup is one file with everything in it. “restwell restore FILE” reads it back, on this computer or another one."
      {...(schedule !== null && {
        actions: (
          <Button look="primary" isBusy={run.isPending || isRunning} onClick={() => run.mutate()}>
            Back up now
          </Button>
        ),
      })}
    >
      <div className="flex flex-col gap-4 text-sm">
        {run.error && <FailureNotice error={run.error} />}
        {last?.others_can && (
          <Notice tone="fair" title={`Other users of the machine can ${last.others_can} your backups`}>
            Make the folder private: chmod 700
          </Notice>
        )}
        <p role="status" className="text-muted">
          {isRunning ? "A backup is being written." : last ? <LastBackup last={last} /> : "There is no backup yet."}
        </p>
        {source === "environment" && schedule !== null ? (
          <ByEnvironment schedule={schedule} />
        ) : (
          <BackupForm key={source} backup={backup} environment={environment} />
        )}
      </div>
    </Panel>
  )
}

const LastBackup = ({ last }: { last: NonNullable<Backup["last"]> }) => (
  <>
    Last backup:{" "}
    <span className="font-medium text-text">
      <TimeAgo instant={last.started_at} />
    </span>
    , {bytesText(last.bytes ?? 0)}, <span className="break-all">{last.file}</span>
  </>
)

const ByEnvironment = ({ schedule }: { schedule: NonNullable<Backup["schedule"]> }) => (
  <p className="text-muted">
    Set by environment variables: one every {plural(schedule.every_hours, "hour")} into{" "}
    <span className="break-all">{schedule.folder}</span>, and the newest {schedule.keep} stay. BACKUP_DIR takes
    precedence over this page.
  </p>
)

const INTERVALS: readonly (readonly [string, string])[] = [
  ["6", "Every 6 hours"],
  ["24", "Every day"],
  ["168", "Every week"],
]

function BackupForm({
  backup: { schedule, suggested_folder: suggested },
  environment,
}: Parameters<typeof BackupPanel>[0]) {
  const change = useSetBackup()
  const remove = useRemoveBackup()
  const { values, field } = useFields({
    folder: schedule?.folder ?? suggested,
    every_hours: String(schedule?.every_hours ?? 24),
    keep: String(schedule?.keep ?? 7),
  })
  const [hasSecret, setHasSecret] = useState(schedule?.has_secret ?? true)
  const intervals = INTERVALS.some(([hours]) => hours === values.every_hours)
    ? INTERVALS
    : [...INTERVALS, [values.every_hours, `Every ${values.every_hours} hours`] as const]
  const submit = () =>
    change.mutate({
      folder: values.folder,
      every_hours: Number(values.every_hours),
      keep: Number(values.keep),
      has_secret: hasSecret,
    })
  const isFixed = (name: string) => environment.includes(name)
  const error = change.error ?? remove.error
  return (
    <Form onSubmit={submit} className="gap-4">
      <TextField
        label="Folder"
        required
        autoComplete="off"
        spellCheck={false}
        hint="On the machine that runs Restwell. Choose another disk if you can, or copy the files elsewhere: a backup on the same disk is lost with it."
        error={fieldError(change.error, "folder")}
        {...field("folder")}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label="How often"
          options={intervals}
          disabled={isFixed("BACKUP_EVERY_HOURS")}
          {...field("every_hours")}
        />
        <TextField
          label="Backups to keep"
          type="number"
          inputMode="numeric"
          min={1}
          max={10_000}
          required
          disabled={isFixed("BACKUP_KEEP")}
          error={fieldError(change.error, "keep")}
          {...field("keep")}
        />
      </div>
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-0.5 size-4"
          checked={hasSecret}
          disabled={isFixed("BACKUP_WITH_SECRET")}
          onChange={({ target }) => setHasSecret(target.checked)}
        />
        <span>
          Include the secret
          <span className="block text-xs text-muted">
            With it the file is all you need to restore. Keep such files as safe as the service itself.
          </span>
        </span>
      </label>
      {error && !isFieldError(error, ["folder", "keep"]) && <FailureNotice error={error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look={schedule === null ? "primary" : "secondary"} isBusy={change.isPending}>
          {schedule === null ? "Start backups" : "Save"}
        </Button>
        {schedule !== null && (
          <Button isBusy={remove.isPending} onClick={() => remove.mutate()}>
            Stop backups
          </Button>
        )}
      </div>
      <p role="status" className="text-muted empty:hidden">
        {change.isSuccess && !change.isPending && schedule !== null ? "Saved." : ""}
      </p>
    </Form>
  )
}
