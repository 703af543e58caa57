import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { LiveResult } from '../../../src/app/studio/expressions/LiveResult';
import { TextProperty } from '../../../src/app/studio/properties/TextProperty';
import { normalise } from '../../../src/engine/normalise/normalise';
import { createRegistry } from '../../../src/engine/registry/registry';
import type { Source } from '../../../src/engine/language/source';
import { draftNow, showPanel } from './showPanel';

const boats = {
  name: 'boats',
  labels: { one: 'Boat', many: 'Boats' },
  fields: { name: { type: 'text' }, berths: { type: 'number' }, doubled: { type: 'number', computed: {} } },
} as unknown as Source;
const published = createRegistry([normalise({ ...boats, fields: { name: { type: 'text' } } } as Source)]);

it('a computed field shows the value that the server computes with the draft, and none while the draft has errors', async () => {
  const reads: unknown[] = [];
  let errors: unknown[] = [];
  const panel = (
    <>
      <TextProperty pointer="/fields/berths/help" label="Help" />
      <LiveResult name="doubled" />
    </>
  );
  const user = showPanel(panel, boats, published, (path, body) => {
    if (path.endsWith('/plan')) return { data: { valid: errors.length === 0, steps: [], errors } };
    if (!path.endsWith('/read')) return undefined;
    reads.push(body);
    return [{ id: 7, name: 'Petrel', doubled: 1234.5 }];
  });
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('For Petrel: 1,234.5'));
  expect(reads).toEqual([{ definition: draftNow(), path: 'boats?range=[0,0]' }]);

  errors = [{ path: '/fields/doubled/computed', message: 'Unknown operator.' }];
  const help = screen.getByRole('textbox', { name: 'Help' });
  await user.type(help, 'x');
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('No result: see the mistakes above.'));
  expect(reads).toHaveLength(1);

  errors = [];
  await user.clear(help);
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('For Petrel: 1,234.5'));
});
