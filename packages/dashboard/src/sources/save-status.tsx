import { Notice } from "../components/notice.tsx"
import { sentence } from "../format/sentence.ts"

/** What was changed, and whether it is saved. */
export const SaveStatus = ({
  change,
  save,
}: {
  change: string
  save: { readonly isPending: boolean; readonly isSuccess: boolean; readonly error: Error | null }
}) => (
  <div className="mt-4">
    <p role="status" className="min-h-5 text-sm text-muted">
      {save.isPending ? `${change} Saving.` : save.isSuccess ? `${change} Saved.` : ""}
    </p>
    {save.error && (
      <Notice tone="poor" title="The change was not saved, and the page shows what is valid.">
        {sentence(save.error.message)}
      </Notice>
    )}
  </div>
)
