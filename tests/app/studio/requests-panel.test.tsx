import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createRegistry } from '../../../src/engine/registry/registry';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { Source } from '../../../src/engine/language/source';
import { RequestsPanel } from '../../../src/app/studio/parts/requests/RequestsPanel';
import { draftNow, openMore, showPanel } from './showPanel';

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
  it('changes the values of a request: fields that it asks for, or fixed values by their types', async () => {
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

  it('sets when its form shows a field, its ignored fields, the width of its dialog, and the list beside it', async () => {
    const { user, click, choose } = show();
    await click('button', /^Inspect/);
    await openMore(user);
    await click('button', 'Add a field that is not always shown');
    await click('menuitem', 'Name');
    // Nothing is stored before the condition has a value: an empty one would hold always.
    expect(draftNow().requests!.inspect!.visible).toBeUndefined();
    await choose('Name is shown when: field', 'Mast');
    await user.type(screen.getByRole('textbox', { name: 'Name is shown when: value' }), '2');
    await user.type(screen.getByRole('combobox', { name: 'Ignored names' }), 'role_id{Enter}');
    const width = screen.getByRole('textbox', { name: 'Width of the dialog' });
    await user.type(width, '50');
    expect(draftNow().requests!.inspect!.width).toBe(50);
    await user.type(width, ' wide');
    expect(screen.getByText(/A width is a number of pixels/)).toBeTruthy();
    expect(draftNow().requests!.inspect!.width).toBe(50);
    await user.clear(width);
    await user.type(width, '90%');
    await click('switch', 'Records are listed beside the form');
    await choose('List of', 'Logs');
    await click('button', 'Add to: Which records are listed');
    await click('menuitem', 'Boat');
    await click('button', 'Boat: value: variable');
    await click('menuitem', 'the boat');
    expect(draftNow().requests!.inspect).toEqual({
      ...{ label: 'Inspect', sets: ['name'], visible: { name: { mast: 2 } }, ignoredNames: ['role_id'], width: '90%' },
      list: { resource: 'logs', filter: { boat_id: '$record.id' } },
    });
    await click('button', 'Remove Name from Fields shown only under a condition');
    expect(draftNow().requests!.inspect!.visible).toBeUndefined();
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

  it('renames a request together with its references, and refuses invalid names', async () => {
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

  it('keeps unknown keys', async () => {
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

describe('actions of a row', () => {
  it('lead to another list with a filter', async () => {
    const { click, choose } = show();
    await click('button', 'Add an action');
    await click('menuitem', 'Open another list…');
    await click('button', /^New action/);
    await choose('Opens the list of', 'Logs');
    await click('button', 'Add to: Filter of that list');
    await click('menuitem', 'Boat');
    await click('button', 'Boat: value: variable');
    await click('menuitem', 'the boat');
    expect(draftNow().list!.actions!.at(-1)).toMatchObject({
      goTo: { resource: 'logs', filter: { boat_id: '$record.id' } },
    });
  });

  it('make a call, with its values, question and answer', async () => {
    const { user, click, choose } = show();
    await click('button', 'Add an action');
    await click('menuitem', 'Make a call of the API…');
    await click('button', /^New action/);
    await user.type(screen.getByRole('textbox', { name: 'Path of the call' }), '/launch');
    await user.type(screen.getByRole('textbox', { name: 'New value to send' }), 'boat{Enter}crew{Enter}');
    await choose('crew is', 'Several texts');
    await user.type(screen.getByRole('textbox', { name: /^crew: texts/ }), 'cook, mate');
    await choose('It needs permission for', 'Viewing the record');
    await user.type(screen.getByRole('textbox', { name: 'Message after' }), 'Gone.');
    await click('switch', 'A dialog shows its answer');
    await choose('The answer is', 'A secret that is never shown again');
    expect(draftNow().list!.actions!.at(-1)).toMatchObject({
      calls: {
        ...{ path: 'boats/{id}/launch', body: { boat: '$record.id', crew: ['cook', 'mate'] }, permission: 'view' },
        ...{ toast: 'Gone.', shows: { title: 'title', text: 'text', secret: 'secret' } },
      },
    });
    await click('button', 'Remove boat from What it sends');
    expect(draftNow().list!.actions!.at(-1)).toMatchObject({ calls: { body: { crew: ['cook', 'mate'] } } });
  });
});
