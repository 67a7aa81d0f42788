import { useState } from "react"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"

type StoredData = "keep" | "delete"

const CHOICES: readonly { readonly value: StoredData; readonly label: string; readonly effect: string }[] = [
  { value: "keep", label: "Keep stored data", effect: "You can still view and export it. New data is not synced." },
  {
    value: "delete",
    label: "Delete stored data",
    effect: "Deletes every record of this vendor immediately. This cannot be undone.",
  },
]

/** Revokes the grant at the vendor, and keeps or deletes the stored data. */
export function DisconnectDialog({
  vendor,
  isOnlySource,
  onDisconnect,
}: {
  vendor: string
  /** True when no other source answers. */
  isOnlySource: boolean
  onDisconnect: (data: StoredData) => Promise<unknown>
}) {
  const [data, setData] = useState<StoredData>("keep")
  return (
    <ConfirmDialog
      trigger="Disconnect"
      title={`Disconnect ${vendor}?`}
      confirmLabel={data === "keep" ? "Disconnect" : "Disconnect and delete"}
      onConfirm={() => onDisconnect(data)}
    >
      <p>
        Restwell gives up its access to {vendor}.{" "}
        {isOnlySource
          ? "Requests with your API key get 404 until you connect a vendor again."
          : "Your other sources answer from now on."}
      </p>
      <fieldset className="flex flex-col gap-3 text-text">
        <legend className="sr-only">Stored data</legend>
        {CHOICES.map(({ value, label, effect }) => (
          <label key={value} className="flex cursor-pointer items-start gap-3">
            <input
              type="radio"
              name="data"
              checked={data === value}
              onChange={() => setData(value)}
              className="mt-0.5 size-5 shrink-0 accent-text"
            />
            <span>
              <span className="font-medium">{label}</span>
              <span className="block text-muted">{effect}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </ConfirmDialog>
  )
}
