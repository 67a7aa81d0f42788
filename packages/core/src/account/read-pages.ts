export const PAGE_SIZE = 500

/** Pages of rows until one is not full, so that an export needs the memory of one page. @param read the page after this row */
export async function* readPages<Row>(
  read: (after?: Row) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void> {
  for (let after: Row | undefined; ; ) {
    const page = await read(after)
    yield page
    if (page.length < PAGE_SIZE) return
    after = page.at(-1)
  }
}
