import { PointSeriesSchema, type SeriesQuery } from "@restwell/client"
import { skipToken, useQuery } from "@tanstack/react-query"
import { type Sample, samplesOf } from "../trends/samples.ts"
import { searchOf, send } from "./send.ts"

/** Values within the day, and the source of most of them. */
export interface Series {
  readonly samples: readonly Sample[]
  readonly source: string
  /** The part of the time, epoch milliseconds. The end is excluded. */
  readonly startMs: number
  readonly endMs: number
}

type Question = Pick<SeriesQuery, "start" | "end" | "start_date" | "end_date" | "resolution"> & {
  readonly type: Exclude<SeriesQuery["type"], "sleep_stages">
}

/** @param question undefined to read nothing @param version from `dataVersion`: a new version refetches */
export function useSeries(question: Question | undefined, version: string) {
  const search = searchOf({ ...question })
  return useQuery({
    queryKey: ["series", search, version],
    queryFn: question === undefined ? skipToken : () => readSeries(search),
    // A sync changes no more than the newest values. Those of another night are none of this one.
    placeholderData: (previous, query) => (query?.queryKey[1] === search ? previous : undefined),
  })
}

async function readSeries(search: string): Promise<Series> {
  const answer = await send(`/api/account/series?${search}`, PointSeriesSchema)
  return {
    samples: samplesOf(answer.points),
    source: answer.source.provider,
    startMs: Date.parse(answer.start),
    endMs: Date.parse(answer.end),
  }
}
