import type { RequestDefinition } from '../definitions/definition';

/**
 * Whether a request sets fixed values and nothing is added or listed beside: it needs no form of its own.
 *
 * @example hasFixedValues(definition.requests.approve); // true
 */
export function hasFixedValues({ constants, adds: addition, list }: RequestDefinition): boolean {
  return Object.keys(constants).length > 0 && !addition && !list;
}

/**
 * Whether a request is made as soon as it is chosen.
 *
 * @example isOneClick(definition.requests.approve); // false: it asks a question
 */
export function isOneClick(request: RequestDefinition): boolean {
  return hasFixedValues(request) && request.sets.length === 0 && request.confirm === undefined;
}
