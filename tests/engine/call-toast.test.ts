import { expect, test } from 'vitest';
import { toastOfCall } from '../../src/engine/lists/call-toast';

const call = { path: 'parcels/labels', body: {}, permission: 'edit', idsProperty: 'parcels' } as const;

test('the message of an action on several records counts the lists of the answer', () => {
  const answer = { made: [1, 2, 4], left: 4, note: 'late' };
  expect(toastOfCall({ ...call, toast: 'Labels: {made}, left {left}{nothing}.' }, answer)).toBe('Labels: 3, left 4.');
  expect(toastOfCall(call, answer)).toBeUndefined();
});
