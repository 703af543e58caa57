import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createRegistry } from '../../../src/engine/definitions/registry';
import { normalise } from '../../../src/engine/definitions/normalise';
import type { Source } from '../../../src/engine/definitions/source';
import { RequestsPanel } from '../../../src/app/screens/studio/parts/requests/RequestsPanel';
import { draftNow, showPanel } from './showPanel';

const logs = {
  name: 'logs',
  labels: { one: 'Log', many: 'Logs' },
  fields: { boat_id: { type: 'relation', to: 'boats' }, text: { type: 'text' } },
} as unknown as Source;
const boats = (more: object = {}) =>
  ({
    name: 'boats',
    labels: { one: 'Boat', many: 'Boats' },
    fields: { name: { type: 'text' }, mast: { type: 'number' }, seen_on: { type: 'date', label: 'Last Seen' } },
    requests: { inspect: { label: 'Inspect', sets: ['name'] } },
    ...more,
  }) as unknown as Source;

function show(definition = boats()) {
  const user = showPanel(<RequestsPanel />, definition, createRegistry([boats(), logs].map((one) => normalise(one))));
  const click = (role: string, name: string | RegExp) => user.click(screen.getByRole(role, { name }));
  const choose = async (box: string, option: string) => {
    await click('combobox', box);
    await click('option', option);
  };
  return { user, click, choose };
}

describe('the panel of requests', () => {
  it('changes what a request sets: fields that it asks for, or fixed values by their types', async () => {
    const { user, click, choose } = show();
    await click('button', /^Inspect/);
    await choose('Changes', 'Fields to fixed values, with one click');
    expect(draftNow().requests!.inspect).toEqual({ label: 'Inspect', sets: {}, asks: ['name'] });
    await click('button', 'Add a fixed value');
    await click('menuitem', 'Last Seen');
    await click('button', 'Last Seen: value: variable');
    await click('menuitem', 'today');
    await click('button', 'Add a fixed value');
    await click('menuitem', 'Mast');
    await user.type(screen.getByRole('textbox', { name: 'Mast: value' }), '2');
    await user.type(screen.getByRole('textbox', { name: 'Question before' }), 'Sure?');
    expect(draftNow().requests!.inspect).toEqual({
      ...{ label: 'Inspect', sets: { seen_on: '$today', mast: 2 }, asks: ['name'], confirm: 'Sure?' },
    });
  });

  it('adds a related record, with a relation and fields of its module', async () => {
    const { click } = show();
    await click('button', /^Inspect/);
    await click('switch', 'It adds a related record');
    expect(draftNow().requests!.inspect!.adds).toEqual({ resource: 'logs', relation: 'boat_id', fields: ['text'] });
    expect(screen.getByRole('combobox', { name: 'Its relation to the record' }).textContent).toBe('Boat');
    await click('switch', 'It adds a related record');
    expect(draftNow().requests!.inspect).toEqual({ label: 'Inspect', sets: ['name'] });
  });

  it('renames a request together with what names it, and refuses names that cannot be', async () => {
    const { user, click } = show(boats({ list: { actions: ['edit', 'inspect'] } }));
    await click('button', 'Add a request');
    await click('button', /^Inspectinspect/);
    const name = screen.getByRole('textbox', { name: 'Name' });
    await user.clear(name);
    await user.type(name, 'request_2');
    expect(screen.getByText('Another request has this name.')).toBeTruthy();
    await user.clear(name);
    await user.type(name, 'look{Enter}');
    expect(Object.keys(draftNow().requests!)).toEqual(['look', 'request_2']);
    expect(draftNow().list!.actions).toEqual(['edit', 'look']);
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('look');
    const requests = within(screen.getByRole('list', { name: 'Requests' }));
    await user.click(requests.getByRole('button', { name: 'Remove Inspect' }));
    expect(draftNow().list!.actions).toEqual(['edit']);
  });

  it('keeps what it does not know', async () => {
    const strange = { label: 'Inspect', sets: ['name'], visible: { name: { mast: 1 } }, later: true };
    const { user, click } = show(boats({ requests: { inspect: strange } }));
    await click('button', /^Inspect/);
    await user.type(screen.getByRole('textbox', { name: 'Label' }), '!');
    expect(draftNow().requests!.inspect).toEqual({ ...strange, label: 'Inspect!' });
  });
});

describe('row actions', () => {
  it('begin with the built-in ones; a request and one that adds a record elsewhere are added', async () => {
    const { user, click, choose } = show();
    const list = screen.getByRole('list', { name: 'Row actions' });
    expect(within(list).getAllByRole('button', { expanded: false })).toHaveLength(2);
    await click('button', 'Add an action');
    await click('menuitem', 'Inspect');
    expect(draftNow().list!.actions).toEqual(['edit', 'delete', 'inspect']);
    await click('button', 'Add an action');
    await click('menuitem', 'Add a record of another module…');
    await click('button', /^New action/);
    await choose('Adds a record of', 'Logs');
    await click('button', 'Add a value');
    await click('menuitem', 'Boat');
    await click('button', 'Boat: value: variable');
    await click('menuitem', 'the boat');
    await user.type(screen.getByRole('textbox', { name: 'Label' }), '!');
    expect(draftNow().list!.actions!.at(-1)).toEqual({
      ...{ name: 'action_1', label: 'New action!', icon: 'chevron-right' },
      opens: { resource: 'logs', values: { boat_id: '$record.id' } },
    });
    await click('button', 'Remove Delete');
    expect(draftNow().list!.actions).toHaveLength(3);
  });
});
