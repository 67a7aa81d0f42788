/** Types that a user of the package relies on. `tsc` checks them; the test run itself checks nothing more. */
import { expectTypeOf, it } from "vitest"
import type {
  Answer,
  CycleData,
  CycleResponse,
  DateRange,
  HealthApiError,
  HealthClient,
  HealthProvider,
  InvalidRequestError,
  NetworkError,
  ProfileData,
  ProfileResponse,
  Quota,
  RateLimitedError,
  RecoveryData,
  RecoveryResponse,
  SleepData,
  SleepResponse,
  SleepStages,
  SummaryResponse,
  TimeoutError,
  TokenProvider,
  WorkoutData,
  WorkoutResponse,
} from "../src/index.ts"

it("returns the response type of each method", () => {
  expectTypeOf<HealthClient["summary"]>().returns.resolves.toEqualTypeOf<Answer<SummaryResponse>>()
  expectTypeOf<HealthClient["sleep"]>().returns.resolves.toEqualTypeOf<Answer<SleepResponse>>()
  expectTypeOf<HealthClient["recovery"]>().returns.resolves.toEqualTypeOf<Answer<RecoveryResponse>>()
  expectTypeOf<HealthClient["workouts"]>().returns.resolves.toEqualTypeOf<Answer<WorkoutResponse>>()
  expectTypeOf<HealthClient["cycles"]>().returns.resolves.toEqualTypeOf<Answer<CycleResponse>>()
  expectTypeOf<HealthClient["profile"]>().returns.resolves.toEqualTypeOf<Answer<ProfileResponse>>()
  expectTypeOf<HealthClient["quota"]>().toEqualTypeOf<Quota | null>()
})

it("types a measurement that may be missing as null or undefined", () => {
  expectTypeOf<SleepResponse["records"][number]["respiratory_rate"]>().toEqualTypeOf<number | null>()
  expectTypeOf<SummaryResponse["strain"]["total"]>().toEqualTypeOf<number | null>()
  expectTypeOf<SleepData["score"]>().toEqualTypeOf<number | undefined>()
  expectTypeOf<SleepData["stages"]>().toEqualTypeOf<SleepStages | undefined>()
})

it("accepts a number of days or a first date, not both", () => {
  expectTypeOf<{ days: number }>().toExtend<DateRange>()
  expectTypeOf<{ days: number; endDate: string }>().toExtend<DateRange>()
  expectTypeOf<{ startDate: string }>().toExtend<DateRange>()
  expectTypeOf<{ startDate: string; endDate: string }>().toExtend<DateRange>()
  expectTypeOf<{ days?: number | undefined }>().toExtend<DateRange>()
  expectTypeOf<{ startDate: string; days: number }>().not.toExtend<DateRange>()
  expectTypeOf<{ startDate: Date }>().not.toExtend<DateRange>()
  expectTypeOf<{ days: string }>().not.toExtend<DateRange>()
})

it("types the common and the specific fields of errors", () => {
  expectTypeOf<HealthApiError>().toHaveProperty("code").toEqualTypeOf<string>()
  expectTypeOf<HealthApiError>().toHaveProperty("status").toEqualTypeOf<number | null>()
  expectTypeOf<InvalidRequestError["field"]>().toEqualTypeOf<string>()
  expectTypeOf<RateLimitedError["reset"]>().toEqualTypeOf<Date>()
  expectTypeOf<TimeoutError>().toExtend<NetworkError>()
  expectTypeOf<NetworkError>().toExtend<HealthApiError>()
})

it("has the core types of the specification", () => {
  expectTypeOf<SleepData>().toHaveProperty("isNap").toEqualTypeOf<boolean>()
  expectTypeOf<RecoveryData>().toHaveProperty("date").toEqualTypeOf<string>()
  expectTypeOf<WorkoutData["sportType"]>().toEqualTypeOf<string>()
  expectTypeOf<HealthProvider["getSleep"]>().toEqualTypeOf<(startDate: Date, endDate: Date) => Promise<SleepData[]>>()
  expectTypeOf<HealthProvider["getCycles"]>().returns.resolves.toEqualTypeOf<CycleData[]>()
  expectTypeOf<HealthProvider["getProfile"]>().returns.resolves.toEqualTypeOf<ProfileData>()
  expectTypeOf<Parameters<TokenProvider["updateTokens"]>>().toEqualTypeOf<
    [string, (string | undefined)?, (Date | undefined)?]
  >()
})
