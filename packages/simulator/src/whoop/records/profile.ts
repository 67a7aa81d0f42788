import type { Person } from "../../people/people.ts"
import type { WireBody, WireProfile } from "./wire.ts"

export function profileOf(person: Person): WireProfile {
  return {
    user_id: person.userId,
    email: person.email,
    first_name: person.firstName,
    last_name: person.lastName,
  }
}

export function bodyOf({ traits }: Person): WireBody {
  return {
    height_meter: traits.body.heightMeters,
    weight_kilogram: traits.body.weightKilograms,
    max_heart_rate: traits.body.maxHeartRate,
  }
}
