/** A file that is the same for everybody until the next start. */
export interface Asset {
  readonly path: string
  readonly contentType: string
  readonly body: string
}
