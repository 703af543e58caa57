import type { Transition } from '../definitions/definition';
import type { TransitionSource } from '../language/source';

/**
 * Transitions as written, with every default filled in.
 *
 * @example normaliseTransitions([{ from: 'open', to: 'done' }]); // [{ from: ['open'], to: ['done'], requiredFields: [] }]
 */
export function normaliseTransitions(transitions: readonly TransitionSource[]): Transition[] {
  return transitions.map(({ from: source, to: target, ...rest }) => ({
    requiredFields: [],
    ...rest,
    from: [source].flat(),
    to: [target].flat(),
  }));
}
