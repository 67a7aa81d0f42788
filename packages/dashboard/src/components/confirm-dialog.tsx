import { AlertDialog } from "@base-ui/react/alert-dialog"
import { type ReactNode, useState } from "react"
import { Button } from "./button.tsx"
import { FailureNotice } from "./failure-notice.tsx"

/** Asks before something that cannot be undone; stays open with the reason when it fails. */
export function ConfirmDialog({
  trigger,
  label = trigger,
  title,
  children,
  confirmLabel,
  look = "danger",
  isReady = true,
  onConfirm,
}: {
  /** The text of the button that opens it. */
  trigger: string
  /** What it is called where several have the same text. */
  label?: string
  title: string
  children: ReactNode
  confirmLabel: string
  look?: "danger" | "primary"
  isReady?: boolean
  onConfirm: () => Promise<unknown>
}) {
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<Error>()
  const confirm = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await onConfirm()
      setOpen(false)
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={setOpen}>
      <AlertDialog.Trigger
        aria-label={label}
        render={<Button look={look === "danger" ? "secondary" : "primary"}>{trigger}</Button>}
      />
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 bg-shade transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <AlertDialog.Popup className="fixed top-1/2 left-1/2 flex max-h-[calc(100dvh-2rem)] w-[28rem] max-w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col gap-4 overflow-y-auto rounded-2xl border border-line bg-surface p-6 text-text shadow-xl transition-[opacity,scale] data-ending-style:opacity-0 data-starting-style:scale-[0.98] data-starting-style:opacity-0">
          <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />} className="flex flex-col gap-3 text-sm text-muted">
            {children}
          </AlertDialog.Description>
          {error && <FailureNotice error={error} />}
          <div className="flex justify-end gap-2">
            <AlertDialog.Close render={<Button>Cancel</Button>} />
            <Button look={look} isBusy={isBusy} disabled={!isReady} onClick={confirm}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
