import { type DragEvent, useId, useRef, useState } from "react"
import { useUpload } from "../api/imports.ts"
import { Button } from "../components/button.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"

/** Takes an archive by drag and drop or from a dialog, and shows how much of it was sent. */
export function ArchiveUpload() {
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
              Drop a file here: the zip file of WHOOP or Oura, one of its tables, or an export of Restwell.
            </p>
            <Button look="primary" aria-describedby={hint} onClick={() => input.current?.click()}>
              Choose a file
            </Button>
          </>
        )}
        <input
          ref={input}
          type="file"
          aria-label="Archive"
          tabIndex={-1}
          accept=".zip,.csv,.json"
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
export const Progress = ({ label, fraction }: { label: string; fraction: number }) => (
  <div className="w-full max-w-sm text-sm">
    <p className="mb-1 flex justify-between gap-3">
      <span>{label}</span>
      <span className="text-muted tabular-nums">{Math.floor(fraction * 100)} %</span>
    </p>
    <progress aria-label={label} value={fraction} max={1} className={BAR} />
  </div>
)
