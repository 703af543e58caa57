import type { EvaluationContext } from '../../../src/engine/conditions/variables';

/** What conditions may refer to where nothing else is said: a day and an instant of it. */
export const around: EvaluationContext = { today: '2026-01-06', now: '2026-01-06T12:00:00.000Z' };
