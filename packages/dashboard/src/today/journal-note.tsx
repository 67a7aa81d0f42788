import { OWN_JOURNAL } from "@restwell/client"
import { useId, useState } from "react"
import { Button } from "../components/button.tsx"

interface JournalNoteProps {
  readonly note: string | null
  readonly isSaving: boolean
  readonly onSave: (note: string | null) => void
}

/** The note of a date. It is saved by the button, and when the person leaves the field. */
export function JournalNote({ note, isSaving, onSave }: JournalNoteProps) {
  const id = useId()
  const [draft, setDraft] = useState<string>()
  const text = draft ?? note ?? ""
  const isChanged = draft !== undefined && draft.trim() !== (note ?? "").trim()
  const save = () => {
    if (isChanged) onSave(text.trim() === "" ? null : text.trim())
    setDraft(undefined)
  }
  return (
    <div>
      <div className="flex items-center justify-between gap-2">
        <label htmlFor={id} className="text-sm font-medium">
          Note
        </label>
        <span role="status" className="text-xs text-muted">
          {isChanged ? "Not saved yet" : isSaving ? "Saving" : note === null ? "" : "Saved"}
        </span>
      </div>
      <textarea
        id={id}
        value={text}
        rows={2}
        maxLength={OWN_JOURNAL.note}
        aria-describedby={`${id}-who`}
        onChange={({ target }) => setDraft(target.value)}
        onBlur={save}
        className="mt-1 block field-sizing-content min-h-16 w-full rounded-lg border border-line-strong bg-canvas px-3 py-2 text-base sm:text-sm"
      />
      <div className="mt-1 flex min-h-11 items-center justify-between gap-2">
        <p id={`${id}-who`} className="text-xs text-muted">
          Only you see the note. Assistants and API keys never get it.
        </p>
        {isChanged && (
          <Button className="min-h-11" onClick={save}>
            Save
          </Button>
        )}
      </div>
    </div>
  )
}
