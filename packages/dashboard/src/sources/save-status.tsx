import { Notice } from "../components/notice.tsx"
import { sentence } from "../format/sentence.ts"

/** The last change, and whether it is saved. */
export const SaveStatus = ({
  change,
  save,
}: {
  change: string
  save: { readonly isPending: boolean; readonly isSuccess: boolean; readonly error: Error | null }
}) => (
  <div>
    <p role="status" className="text-sm text-muted not-empty:mt-4">
      {save.isPending ? `${change} Saving.` : save.isSuccess ? `${change} Saved.` : ""}
    </p>
    {save.error && (
      <div className="mt-4">
        <Notice tone="poor" title="The change was not saved, so it was taken back">
          {sentence(save.error.message)}
        </Notice>
      </div>
    )}
  </div>
)
