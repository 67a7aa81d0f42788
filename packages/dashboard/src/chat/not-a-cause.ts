/** Below every relation. */
export const NOT_A_CAUSE = "Figures that go together do not show that one causes the other."
