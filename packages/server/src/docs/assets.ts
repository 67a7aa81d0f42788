/** Something the service serves that is the same for everybody until its next start. */
export interface Asset {
  readonly path: string
  readonly contentType: string
  readonly body: string
}
