import { Radio } from "@base-ui/react/radio"
import { RadioGroup } from "@base-ui/react/radio-group"
import { useState } from "react"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"

type Fate = "keep" | "delete"

const CHOICES: readonly { readonly value: Fate; readonly label: string; readonly meaning: string }[] = [
  { value: "keep", label: "Keep what was stored", meaning: "You can still see and export it. Nothing new arrives." },
  {
    value: "delete",
    label: "Delete what was stored",
    meaning: "Every record of this vendor goes, at once and for good.",
  },
]

/** Ends the grant at the vendor, and asks what becomes of the data. */
export function DisconnectDialog({
  vendor,
  onDisconnect,
}: {
  vendor: string
  onDisconnect: (data: Fate) => Promise<unknown>
}) {
  const [data, setData] = useState<Fate>("keep")
  return (
    <ConfirmDialog
      trigger="Disconnect"
      title={`Disconnect ${vendor}?`}
      confirmLabel={data === "keep" ? "Disconnect" : "Disconnect and delete"}
      onConfirm={() => onDisconnect(data)}
    >
      <p>
        Restwell gives the authorization back to {vendor}. Your API key answers 404 until a vendor is connected again.
      </p>
      <RadioGroup
        aria-label="What becomes of your data"
        value={data}
        onValueChange={(value) => setData(value === "delete" ? "delete" : "keep")}
        className="flex flex-col gap-3 text-text"
      >
        {CHOICES.map(({ value, label, meaning }) => (
          // biome-ignore lint/a11y/noLabelWithoutControl: the radio inside is the control
          <label key={value} className="flex cursor-pointer items-start gap-3">
            <Radio.Root
              value={value}
              className="mt-0.5 flex size-5 shrink-0 items-center justify-center rounded-full border border-line-strong data-checked:border-text"
            >
              <Radio.Indicator className="size-2.5 rounded-full bg-text" />
            </Radio.Root>
            <span>
              <span className="font-medium">{label}</span>
              <span className="block text-muted">{meaning}</span>
            </span>
          </label>
        ))}
      </RadioGroup>
    </ConfirmDialog>
  )
}
