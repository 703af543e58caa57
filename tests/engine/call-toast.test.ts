import { expect, test } from 'vitest';
import { addAnswers, toastOfCall } from '../../src/engine/lists/call-toast';

const call = { path: 'parcels/labels', body: {}, permission: 'edit', idsProperty: 'parcels' } as const;

test('the message of an action on several records counts the lists of all answers together', () => {
  const answer = addAnswers(addAnswers({}, { made: [1, 2], left: 3 }), { made: [4], left: 1, note: 'late' });
  expect(answer).toEqual({ made: [1, 2, 4], left: 4, note: 'late' });
  expect(toastOfCall({ ...call, toast: 'Labels: {made}, left {left}{nothing}.' }, answer)).toBe('Labels: 3, left 4.');
  expect(toastOfCall(call, answer)).toBeUndefined();
});
