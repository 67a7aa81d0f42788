/**
 * As Promise.all, but when one fails the others are waited for all the same: a sync that ended has nothing under way, so that no late answer
 * of the vendor (a pause it asks for, a token it refuses) is taken for one to the next sync.
 */
export async function allEnded<const Work extends readonly Promise<unknown>[]>(work: Work) {
  await Promise.allSettled(work)
  return Promise.all(work)
}
