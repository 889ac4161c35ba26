"""Who answers a rule's questions: `live` (seeded dice, policies), `replay` (recorded or scripted answers), `typed`
(dice that people throw) and `exact` (every outcome with its weight)."""
