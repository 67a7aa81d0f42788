import { AlertDialog } from "@base-ui/react/alert-dialog"
import { useMutation } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { Button } from "./button.tsx"
import { FailureNotice } from "./notice.tsx"

/** Asks for confirmation. Stays open with the error when the action fails. */
export function ConfirmDialog({
  trigger,
  label = trigger,
  title,
  children,
  confirmLabel,
  look = "danger",
  canConfirm = true,
  onConfirm,
}: {
  /** Text of the button that opens the dialog. */
  trigger: string
  /** Accessible name of that button, where several have the same text. */
  label?: string
  title: string
  children: ReactNode
  confirmLabel: string
  look?: "danger" | "primary"
  canConfirm?: boolean
  onConfirm: () => Promise<unknown>
}) {
  const [isOpen, setOpen] = useState(false)
  const action = useMutation({
    // Returns nothing: a mutation keeps its result in memory, and the result may be an API key.
    mutationFn: async () => {
      await onConfirm()
    },
    onSuccess: () => setOpen(false),
  })
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={setOpen}>
      <AlertDialog.Trigger
        aria-label={label}
        render={<Button look={look === "danger" ? "secondary" : "primary"}>{trigger}</Button>}
      />
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 bg-shade transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <AlertDialog.Popup className="fixed top-1/2 left-1/2 flex max-h-[calc(100dvh-2rem)] w-[28rem] max-w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col gap-4 overflow-y-auto rounded-2xl border border-line bg-surface p-6 text-text shadow-xl transition-[opacity,scale] data-ending-style:opacity-0 data-starting-style:scale-[0.98] data-starting-style:opacity-0">
          <AlertDialog.Title className="text-lg font-semibold wrap-anywhere">{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />} className="flex flex-col gap-3 text-sm wrap-anywhere text-muted">
            {children}
          </AlertDialog.Description>
          {action.error && <FailureNotice error={action.error} />}
          <div className="flex justify-end gap-2">
            <AlertDialog.Close render={<Button>Cancel</Button>} />
            <Button look={look} isBusy={action.isPending} disabled={!canConfirm} onClick={() => action.mutate()}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
