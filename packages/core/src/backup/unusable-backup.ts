/** A backup cannot be restored. The message is one sentence for the operator, and nothing was changed. */
export class UnusableBackup extends Error {
  override readonly name = "UnusableBackup"
}
