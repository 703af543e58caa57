import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { createRegistry } from '../../../src/engine/registry/registry';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { Source } from '../../../src/engine/language/source';
import { ModulePanel, DataPanel, ListPanel } from '../../../src/app/studio/properties/panels';
import { FieldProperties } from '../../../src/app/studio/properties/FieldProperties';
import { draftNow, showPanel } from './showPanel';

const harbours = {
  name: 'harbours',
  labels: { one: 'Harbour', many: 'Harbours' },
  fields: { name: { type: 'text' }, coast_id: { type: 'relation', to: 'coasts', label: 'Coast' } },
} as unknown as Source;
const coasts = {
  name: 'coasts',
  labels: { one: 'Coast', many: 'Coasts' },
  fields: { name: { type: 'text' } },
} as unknown as Source;
const trips = {
  name: 'trips',
  labels: { one: 'Trip', many: 'Trips' },
  fields: { boat_id: { type: 'relation', to: 'boats' }, miles: { type: 'number' } },
} as unknown as Source;
const boats = {
  name: 'boats',
  labels: { one: 'Boat', many: 'Boats' },
  fields: {
    name: { type: 'text' },
    harbour_id: { type: 'relation', to: 'harbours' },
    state: {
      type: 'select',
      options: [
        { value: 1, label: 'Ashore' },
        { value: 2, label: 'Afloat' },
        { value: 3, label: 'Sunk' },
      ],
    },
    coast: { type: 'lookup', source: 'harbour_id.name' },
    sailed: { type: 'rollup', source: 'trips.boat_id', aggregate: 'count' },
    ropes: { type: 'rows', fields: { metres: { type: 'number' }, worn: { type: 'boolean' } } },
    rope: { type: 'rollup', source: 'trips.boat_id', aggregate: 'count' },
  },
} as unknown as Source;

const registry = () => createRegistry([boats, harbours, coasts, trips].map((source) => normalise(source)));

function show(field: string, definition = boats) {
  const user = showPanel(<FieldProperties name={field} />, definition, registry());
  const click = (role: string, name: string | RegExp) => user.click(screen.getByRole(role, { name }));
  const choose = async (box: string, option: string | RegExp) => {
    await click('combobox', box);
    await click('option', option);
  };
  return { user, click, choose };
}

describe('the panel of a field', () => {
  it('has transitions by the labels of the options, and stores their values as they are', async () => {
    const { user, click, choose } = show('state');
    await click('button', 'Add a transition');
    expect(draftNow().fields.state!.transitions).toEqual([{ from: 1, to: 2 }]);
    await click('button', 'Ashore → Afloat');
    await choose('From', 'Sunk');
    await user.type(screen.getByRole('textbox', { name: 'Label of its button' }), 'Launch');
    await choose('For all roles of a level', '3 Manager');
    await user.keyboard('{Escape}');
    await choose('Needs', 'Harbour');
    expect(draftNow().fields.state!.transitions).toEqual([
      { from: [1, 3], to: 2, label: 'Launch', levels: [3], requiredFields: ['harbour_id'] },
    ]);
    expect(screen.getByRole('button', { name: /^Launch/, expanded: true }).textContent).toContain(
      'Ashore, Sunk → Afloat',
    );
    await choose('Value of new records', 'Afloat');
    expect(draftNow().fields.state!.initial).toBe(2);
    await click('button', 'Remove Launch');
    expect(draftNow().fields.state).not.toHaveProperty('transitions');
  });

  it('keeps the published value of an option whose key changes as the former one', async () => {
    const { user, click } = show('state');
    await click('button', /^Afloat/);
    const value = screen.getByRole('spinbutton', { name: 'Stored as' });
    await user.clear(value);
    await user.type(value, '20');
    expect(draftNow().fields.state!.options![1]).toEqual({ value: 20, label: 'Afloat', formerValue: 2 });
    expect(screen.getByRole('spinbutton', { name: 'Formerly stored as' })).toHaveProperty('value', '2');
    await user.clear(value);
    await user.type(value, '2');
    expect(draftNow().fields.state!.options![1]).toEqual({ value: 2, label: 'Afloat' });
  });

  it('builds the condition of a default that is looked up of the fields of the target', async () => {
    const { click, choose } = show('harbour_id');
    await click('button', 'Look it up');
    expect(draftNow().fields.harbour_id!.default).toEqual({ $lookup: {} });
    await click('button', 'Add a condition: The record by default, where');
    await choose('The record by default, where: field', 'Coast');
    await click('button', 'Remove the default');
    expect(draftNow().fields.harbour_id).not.toHaveProperty('default');
  });

  it('keeps keys of a transition that it does not know', async () => {
    const transition = { from: 1, to: 2, later: [1] };
    const state = { ...boats.fields.state!, transitions: [transition] };
    const { user, click } = show('state', { ...boats, fields: { ...boats.fields, state } } as unknown as Source);
    await click('button', 'Ashore → Afloat');
    await user.type(screen.getByRole('textbox', { name: 'Label of its button' }), 'Go');
    expect(draftNow().fields.state!.transitions).toEqual([{ ...transition, label: 'Go' }]);
  });

  it('offers the paths of a lookup through one and two relations, and takes any other', async () => {
    const { user, click } = show('coast');
    const path = screen.getByRole('combobox', { name: 'Path to the field' });
    expect(screen.getByText('Harbour › Name')).toBeTruthy();
    await user.clear(path);
    await user.click(path);
    await click('option', /Harbour › Coast › Name/);
    expect(draftNow().fields.coast!.source).toBe('harbour_id.coast_id.name');
    await user.clear(path);
    await user.type(path, 'a.b.c.d');
    expect(draftNow().fields.coast!.source).toBe('a.b.c.d');
  });

  it('offers the fields of the records that a rollup is over, and builds its condition of them', async () => {
    const { click, choose } = show('sailed');
    await choose('Takes', 'Sum');
    await choose('Of the field', 'Miles');
    await click('button', 'Add a condition: Only of records where');
    await choose('Only of records where: field', 'Miles');
    await choose('Only of records where: operator', 'is empty');
    expect(draftNow().fields.sailed).toMatchObject({
      aggregate: 'sum',
      field: 'miles',
      where: { miles: expect.anything() },
    });
  });
});

describe('a field that is required under a condition', () => {
  const field = () => screen.getByRole('combobox', { name: 'Required when: field' });
  const required = () => draftNow().fields.name!.required;

  it('opens its condition in view and focused, and stores it with its first value', async () => {
    const { user, click, choose } = show('name');
    await click('switch', 'Required');
    expect(required()).toBe(true);
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
    await click('button', 'when…');
    await waitFor(() => expect(document.activeElement).toBe(field()));
    expect(scrolled.mock.contexts.at(-1)).toBe(screen.getByRole('group', { name: 'Required when' }));
    // What held goes on until the condition has a value.
    expect(required()).toBe(true);
    await choose('Required when: field', 'State');
    expect(required()).toBe(true);
    await user.type(screen.getByRole('combobox', { name: 'Required when: value' }), 'Sunk');
    await click('option', 'Sunk');
    expect(required()).toEqual({ state: { $in: [3] } });
  });

  it('never stores an empty condition: without rows it is always required', async () => {
    const definition = { ...boats, fields: { ...boats.fields, name: { type: 'text', required: { state: 3 } } } };
    const { user, click, choose } = show('name', definition as unknown as Source);
    // Its row stays to be filled in where another field is chosen.
    await choose('Required when: field', 'Coast');
    expect(required()).toBe(true);
    expect(field().textContent).toBe('Coast');
    expect(screen.getByRole('button', { name: 'when…' }).getAttribute('aria-pressed')).toBe('true');
    await user.type(screen.getByRole('textbox', { name: 'Required when: value' }), 'N');
    expect(required()).toEqual({ coast: 'N' });
    expect(screen.getAllByRole('combobox', { name: 'Required when: field' })).toHaveLength(1);
    await click('button', 'Remove the condition: Required when');
    expect(required()).toBe(true);
    await click('button', 'always');
    expect(screen.queryByRole('group', { name: 'Required when' })).toBeNull();
    expect(required()).toBe(true);
  });
});

describe('the panel of an inverse', () => {
  it('sums numbers, durations and amounts in one currency, and offers no other field', async () => {
    const money = (currency: string) => ({ type: 'money', currency });
    const source = {
      ...trips,
      fields: {
        ...trips.fields,
        note: { type: 'text' },
        day: { type: 'date' },
        price: money('EUR'),
        currency: { type: 'text' },
        abroad: money('currency'),
      },
    } as unknown as Source;
    const own = { parent_id: { type: 'relation', to: 'boats' }, crew: { type: 'number' }, cost: money('currency') };
    const definition = {
      ...boats,
      fields: {
        ...boats.fields,
        ...own,
        trips: { type: 'inverse', source: 'trips.boat_id' },
        parts: { type: 'inverse', source: 'boats.parent_id' },
      },
    } as unknown as Source;
    const all = () => createRegistry([boats, harbours, coasts, source].map((one) => normalise(one)));
    const offered = async (name: string) => {
      const user = showPanel(<FieldProperties name={name} />, definition, all());
      await user.click(screen.getByRole('combobox', { name: 'Summed field' }));
      return screen.getAllByRole('option').map(({ textContent }) => textContent);
    };
    expect(await offered('trips')).toEqual(['Default', 'Miles', 'Price']);
    cleanup();
    expect(await offered('parts')).toEqual(['Default', 'Crew']);
  });
});

describe('the panel of a rollup', () => {
  it('offers the rows of the record, and builds the condition of their columns', async () => {
    const { click, choose } = show('rope');
    await choose('Shows', 'Ropes, rows of the record');
    await choose('Takes', 'Sum');
    await choose('Of the field', 'Metres');
    await click('button', 'Add a condition: Only of records where');
    await choose('Only of records where: field', 'Worn');
    await choose('Only of records where: operator', 'is empty');
    expect(draftNow().fields.rope).toMatchObject({
      source: 'ropes',
      aggregate: 'sum',
      field: 'metres',
      where: { worn: expect.anything() },
    });
  });
});

describe('looks', () => {
  it('has highlighted rows, never with an empty condition, which would always hold', async () => {
    const user = showPanel(<ListPanel />, boats, registry());
    const stand = screen.getByRole('switch', { name: 'Some rows stand out' });
    await user.click(stand);
    expect(draftNow().list!.highlight).toEqual({ tone: 'high', label: 'Attention' });
    await user.click(screen.getByRole('combobox', { name: 'Stand out where: operator' }));
    await user.click(screen.getByRole('option', { name: 'is empty' }));
    expect(draftNow().list!.highlight).toEqual({
      tone: 'high',
      label: 'Attention',
      where: { name: expect.anything() },
    });
    const [first] = [draftNow().list!.highlight];
    await user.click(screen.getByRole('button', { name: 'Add others that stand out' }));
    expect(draftNow().list!.highlight).toEqual([first, { tone: 'high', label: 'Attention' }]);
    await user.click(stand);
    expect(draftNow().list).toBeUndefined();
  });

  it('has the colours and marks of the stored records, and of those that are not listed', async () => {
    const chip = { shape: 'ring', tones: { 9: 'urgent' }, marks: { 1: 0.4 } };
    const user = showPanel(<ModulePanel />, { ...boats, chip } as unknown as Source, registry(), (path) =>
      path.includes('/boats/choices') ? { data: [{ id: 1, title: 'Petrel' }] } : undefined,
    );
    await user.click(await screen.findByRole('combobox', { name: 'Petrel: mark' }));
    await user.click(screen.getByRole('option', { name: 'Half' }));
    await user.click(screen.getByRole('combobox', { name: 'Petrel: colour' }));
    await user.click(screen.getByRole('option', { name: 'teal' }));
    expect(draftNow().chip).toEqual({ shape: 'ring', tones: { 1: 'teal', 9: 'urgent' }, marks: { 1: 0.5 } });
    await user.click(screen.getByRole('combobox', { name: 'Record 9: colour' }));
    await user.click(screen.getByRole('option', { name: 'No colour' }));
    expect(draftNow().chip!.tones).toEqual({ 1: 'teal' });
    await user.click(screen.getByRole('switch', { name: 'Records are shown as chips' }));
    expect(draftNow().chip).toBeUndefined();
  });
});

describe('checks and import', () => {
  it('has parameters with a name of their own, and keeps unknown keys of others', async () => {
    const strange = { label: 'Season', later: 1 };
    const user = showPanel(
      <DataPanel />,
      { ...boats, parameters: { season: strange } } as unknown as Source,
      registry(),
    );
    const name = screen.getByRole('textbox', { name: 'New parameter' });
    await user.type(name, 'season{Enter}');
    expect(screen.getByText('There is one with this name.')).toBeTruthy();
    await user.type(name, '_of{Enter}');
    expect(draftNow().parameters).toEqual({ season: strange, season_of: { kind: 'value' } });
    await user.click(screen.getByRole('button', { name: /^Season Of/ }));
    await user.click(screen.getByRole('combobox', { name: 'Its values are records of' }));
    await user.click(screen.getByRole('option', { name: 'Harbours' }));
    await user.click(screen.getByRole('combobox', { name: 'Takes' }));
    await user.click(screen.getByRole('option', { name: 'A month' }));
    await user.type(screen.getByRole('textbox', { name: 'File name of a download' }), 'a');
    await user.clear(screen.getByRole('textbox', { name: 'File name of a download' }));
    expect(draftNow().parameters!.season_of).toEqual({ kind: 'month', resource: 'harbours' });
    await user.click(screen.getByRole('button', { name: 'Remove Season Of' }));
    expect(draftNow().parameters).toEqual({ season: strange });
  });

  it('has combinations that are unique, under a condition too', async () => {
    const user = showPanel(<DataPanel />, { ...boats, unique: [['name', 'state']] } as Source, registry());
    await user.click(screen.getByRole('button', { name: 'Name, State' }));
    await user.click(screen.getByRole('button', { name: 'Add a condition or a message' }));
    await user.type(screen.getByRole('textbox', { name: 'Message' }), 'Taken.');
    expect(draftNow().unique).toEqual([{ fields: ['name', 'state'], message: 'Taken.' }]);
    await user.click(screen.getByRole('button', { name: 'Add a combination' }));
    expect(draftNow().unique).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Remove Name, State' }));
    expect(draftNow().unique).toHaveLength(1);
  });

  it('has spans that do not overlap, of records with the same relation, and ends without a trace', async () => {
    const fields = {
      ...boats.fields,
      out_on: { type: 'date' },
      back_on: { type: 'date' },
      due_on: { type: 'date' },
      berth: { type: 'number', integer: true },
    };
    const user = showPanel(<DataPanel />, { ...boats, fields } as unknown as Source, registry());
    const overlaps = screen.getByRole('switch', { name: 'Spans of time do not overlap' });
    await user.click(overlaps);
    expect(draftNow().noOverlap).toEqual({ fields: ['out_on', 'back_on'] });
    await user.click(screen.getByRole('combobox', { name: 'It ends at' }));
    await user.click(screen.getByRole('option', { name: 'Due On' }));
    await user.click(screen.getByRole('combobox', { name: 'Among records with the same' }));
    await user.click(screen.getByRole('option', { name: 'Berth' }));
    await user.type(screen.getByRole('textbox', { name: 'Message about an overlap' }), 'Out then.');
    expect(draftNow().noOverlap).toEqual({
      fields: ['out_on', 'due_on'],
      partitionBy: ['berth'],
      message: 'Out then.',
    });
    await user.click(overlaps);
    expect(draftNow().noOverlap).toBeUndefined();
  });

  it('offers no overlap without two dates, and says why', () => {
    showPanel(
      <DataPanel />,
      { ...boats, fields: { name: {}, out_on: { type: 'date' } } } as unknown as Source,
      registry(),
    );
    expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Spans of time do not overlap' }).disabled).toBe(true);
    expect(screen.getByText('A span needs two dates, or two dates with their times.')).toBeTruthy();
  });

  it('has indexes, a list of fields each, in their order', async () => {
    const user = showPanel(<DataPanel />, boats, registry());
    await user.click(screen.getByRole('button', { name: 'Add an index' }));
    const list = screen.getByRole('list', { name: 'Additional indexes' });
    await user.click(within(list).getByRole('button', { expanded: false }));
    await user.click(within(list).getByRole('combobox', { name: 'Fields' }));
    await user.click(screen.getByRole('option', { name: 'State' }));
    expect(draftNow().indexes).toEqual([[expect.any(String), 'state']]);
  });
});

describe('the columns of rows', () => {
  const voyages = {
    name: 'voyages',
    labels: { one: 'Voyage', many: 'Voyages' },
    fields: {
      name: { type: 'text' },
      legs: { type: 'rows', fields: { port: { type: 'text', maxLength: 50 }, starts: { type: 'time' } } },
    },
  } as unknown as Source;
  const columns = () => draftNow().fields.legs!.fields!;

  it('are added, named, typed, limited, sorted and removed, and a published one keeps its values', async () => {
    const { user } = show('legs', voyages);
    const list = () => within(screen.getByRole('list', { name: 'Columns' }));
    const click = (role: string, name: string | RegExp) => user.click(list().getByRole(role, { name }));
    const choose = async (box: string, option: string) => {
      await click('combobox', box);
      await user.click(screen.getByRole('option', { name: option }));
    };
    await user.click(screen.getByRole('button', { name: 'Add a column' }));
    await click('button', /^Column 3/);
    await choose('Type', 'Number');
    await user.type(list().getByRole('textbox', { name: 'Label' }), 'Miles');
    await user.type(list().getByRole('spinbutton', { name: 'Min' }), '0');
    await click('switch', 'Required');
    await user.clear(list().getByRole('textbox', { name: 'Key' }));
    await user.type(list().getByRole('textbox', { name: 'Key' }), 'miles{Enter}');
    expect(columns().miles).toEqual({ type: 'number', label: 'Miles', min: 0, required: true });
    await click('button', /^Miles/);

    await click('button', /^Port/);
    await user.clear(list().getByRole('textbox', { name: 'Key' }));
    await user.type(list().getByRole('textbox', { name: 'Key' }), 'starts');
    expect(screen.getByText('A column "starts" already exists.')).toBeTruthy();
    await user.clear(list().getByRole('textbox', { name: 'Key' }));
    await user.type(list().getByRole('textbox', { name: 'Key' }), 'harbour{Enter}');
    expect(Object.entries(columns())[0]).toEqual(['harbour', { type: 'text', maxLength: 50, formerName: 'port' }]);
    // Another type drops what it does not have.
    await choose('Type', 'Select');
    expect(columns().harbour).toEqual({ type: 'select', formerName: 'port' });
    await click('button', 'Add an option');
    expect(columns().harbour!.options).toHaveLength(1);
    await click('button', 'Remove Starts');
    expect(Object.keys(columns())).toEqual(['harbour', 'miles']);
  });
});

describe('the panel of the list', () => {
  it('offers paths through two relations as columns and orders', async () => {
    const user = showPanel(<ListPanel />, boats, registry());
    await user.click(screen.getByRole('button', { name: 'Add a column' }));
    await user.click(screen.getByRole('menuitem', { name: 'Harbour › Coast › Name' }));
    expect(draftNow().list!.columns!.at(-1)).toBe('harbour_id.coast_id.name');
    expect(screen.queryByRole('menuitem', { name: 'Harbour › Coast' })).toBeNull();
    await user.click(screen.getByRole('combobox', { name: 'Sorted by' }));
    await user.click(screen.getByRole('option', { name: 'Harbour › Coast › Name' }));
    expect(draftNow().list!.sort).toBe('-harbour_id.coast_id.name');
    await user.click(screen.getByRole('combobox', { name: 'Sort options' }));
    await user.click(screen.getByRole('option', { name: 'Harbour › Name' }));
    expect(draftNow().list!.sortChoices).toEqual(['harbour_id.name']);
  });
});
