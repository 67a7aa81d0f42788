import { NORMALIZED_SPORT_TYPES } from "@restwell/client"
import { expect, test } from "vitest"
import { sportTypeOf } from "./vocabulary.ts"

test.each([
  ["running", "running"],
  ["track-field", "running"],
  ["Mountain Biking", "cycling"],
  ["assault-bike", "cycling"],
  ["road_biking", "cycling"],
  ["swimming", "swimming"],
  ["lap_swimming", "swimming"],
  ["casual_walking", "walking"],
  ["weightlifting_msk", "strength"],
  ["hot-yoga", "yoga"],
  ["F45-Training", "hiit"],
  ["obstacle-course-racing", "hiit"],
  ["hiking-rucking", "walking"],
  ["activity", "other"],
  ["", "other"],
  ["--", "other"],
  ["Pool_Swim", "swimming"],
  ["Swim (Open Water)", "swimming"],
  ["Indoor_Cycle", "cycling"],
  ["Treadmill Run", "running"],
  ["Treadmill Walk", "walking"],
  ["Outdoor_Laufen", "running"],
  ["Freiwasser Schwimmen", "swimming"],
  ["Course à pied en extérieur", "running"],
  ["Corsa all'aperto", "running"],
  ["Natación en piscina", "swimming"],
  ["Ciclismo indoor", "cycling"],
  ["Buiten_Hardlopen", "running"],
  ["Vandring", "walking"],
  ["Тренажер", "тренажер"],
  ["Ходьба на улице", "walking"],
  ["室外跑步", "running"],
  ["屋内ランニング", "running"],
  ["실내 사이클링", "cycling"],
  ["Açık Hava Koşu", "running"],
])("maps %s to %s", (name, type) => expect(sportTypeOf(name)).toBe(type))

test.each(["table-tennis", "foam_rolling", "pilates", "indoor climbing", "pool"])(
  "passes %s through as the vendor spells it",
  (name) => expect(sportTypeOf(name)).toBe(name),
)

test("lower-cases what it passes through", () => expect(sportTypeOf(" Table-Tennis ")).toBe("table-tennis"))

test.each(NORMALIZED_SPORT_TYPES)("leaves the normalised type %s as it is", (type) =>
  expect(sportTypeOf(type)).toBe(type),
)
