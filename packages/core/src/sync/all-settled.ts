/**
 * Like Promise.all, but a failure is thrown only after all the other promises have settled. A sync that ended has no call in flight, so no
 * late answer of the vendor, such as a pause or a rejected token, affects the next sync.
 */
export async function allSettled<const Work extends readonly Promise<unknown>[]>(work: Work) {
  await Promise.allSettled(work)
  return Promise.all(work)
}
