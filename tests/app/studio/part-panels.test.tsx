import { act, cleanup, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createRegistry } from '../../../src/engine/registry/registry';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { Source } from '../../../src/engine/language/source';
import {
  BoardPanel,
  CardPanel,
  TabsPanel,
  ModulePanel,
  ViewsPanel,
  DataPanel,
} from '../../../src/app/studio/properties/panels';
import { FormPanel } from '../../../src/app/studio/parts/FormPanel';
import { ConditionProperty } from '../../../src/app/studio/conditions/ConditionProperty';
import { draftNow, openMore, showPanel } from './showPanel';

const boats = {
  name: 'boats',
  labels: { one: 'Boat', many: 'Boats' },
  fields: { name: { type: 'text' }, harbour_id: { type: 'relation', to: 'harbours' } },
  requests: { move: { label: 'Move', path: '/boat/move' } },
} as unknown as Source;
it('a board begins with a column, and ends without a trace', async () => {
  const user = showPanel(<BoardPanel />, boats);
  const board = screen.getByRole('switch', { name: 'The list has a board' });
  await act(() => user.click(board));
  expect(draftNow().list?.kanban).toEqual({ column: 'harbour_id' });
  expect(screen.getByRole('combobox', { name: 'Columns' }).textContent).toBe('Harbour');
  await act(() => user.click(board));
  expect(draftNow().list?.kanban).toBeUndefined();
});

it('without a select or relation there can be no board, and the panel says why', () => {
  showPanel(<BoardPanel />, { ...boats, fields: { name: { type: 'text' } } } as unknown as Source);
  expect(screen.getByRole<HTMLInputElement>('switch', { name: 'The list has a board' }).disabled).toBe(true);
  expect(screen.getByText(/needs a select or a relation as its columns/)).toBeTruthy();
});

it('a calendar begins with a date, a timeline with two; without them they cannot be switched on', async () => {
  const dated = {
    ...boats,
    fields: { ...boats.fields, out_on: { type: 'date' }, back_on: { type: 'date' }, photo: { type: 'image' } },
  } as unknown as Source;
  const user = showPanel(<ViewsPanel />, dated);
  await act(() => user.click(screen.getByRole('switch', { name: 'The list has a calendar' })));
  await act(() => user.click(screen.getByRole('switch', { name: 'The list has a timeline' })));
  await act(() => user.click(screen.getByRole('switch', { name: 'The list has a gallery' })));
  expect(draftNow().list).toEqual({
    calendar: { start: 'out_on' },
    timeline: { start: 'out_on', end: 'back_on' },
    gallery: { image: 'photo' },
  });
  cleanup();
  showPanel(<ViewsPanel />, { ...boats, fields: { ...boats.fields, out_on: { type: 'date' } } } as unknown as Source);
  expect(screen.getByRole<HTMLInputElement>('switch', { name: 'The list has a timeline' }).disabled).toBe(true);
  expect(screen.getByText('A timeline needs two dates or times.')).toBeTruthy();
});

it('imports and rules of a record have inputs', async () => {
  const user = showPanel(<DataPanel />, boats);
  await act(() => user.click(screen.getByRole('switch', { name: 'Records can be imported' })));
  expect(draftNow().import).toEqual({});
  await act(() => user.click(screen.getByRole('combobox', { name: 'A row finds its record by' })));
  await act(() => user.click(screen.getByRole('option', { name: 'Name' })));
  expect(draftNow().import).toEqual({ match: ['name'] });
  await act(() => user.click(screen.getByRole('button', { name: 'Add a rule of a record' })));
  expect(draftNow().validate).toHaveLength(1);
});

it('a condition offers records below another only where they are a tree', async () => {
  const harbours = (isTree: boolean) =>
    createRegistry([
      normalise({
        name: 'harbours',
        labels: { one: 'Harbour', many: 'Harbours' },
        fields: { name: { type: 'text' }, ...(isTree && { parent_id: { type: 'relation', to: 'harbours' } }) },
      } as unknown as Source),
    ]);
  const definition = {
    ...boats,
    rules: [{ levels: [6], action: 'list', where: { harbour_id: { $exists: true } } }],
  } as unknown as Source;
  for (const isTree of [true, false]) {
    const user = showPanel(<ConditionProperty pointer="/rules/0/where" label="Where" />, definition, harbours(isTree));
    await act(() => user.click(screen.getByRole('combobox', { name: 'Where: operator' })));
    expect(screen.queryByRole('option', { name: 'is or is below' }) !== null).toBe(isTree);
    cleanup();
  }
});

const harbours = {
  name: 'harbours',
  labels: { one: 'Harbour', many: 'Harbours' },
  fields: { name: { type: 'text' }, owner: { type: 'text' }, boat_id: { type: 'relation', to: 'boats' } },
} as unknown as Source;
const registry = createRegistry([normalise(harbours)]);
const named = (role: string) => (name: string | RegExp) => screen.getByRole(role, { name });
const [button, item, box, text] = ['button', 'menuitem', 'combobox', 'textbox'].map(named) as [
  ReturnType<typeof named>,
  ReturnType<typeof named>,
  ReturnType<typeof named>,
  ReturnType<typeof named>,
];

it('an import makes related records, reads other headings, and stays when its last key is emptied', async () => {
  const user = showPanel(<DataPanel />, { ...boats, import: { match: ['name'] } } as unknown as Source, registry);
  await user.click(button('Make records of'));
  await user.click(item('Harbour'));
  await user.click(button('Add a value of Harbour'));
  await user.click(item('Owner'));
  await user.click(button('Owner: value: variable'));
  await user.click(item('Name of the imported record'));
  expect(draftNow().import!.creates).toEqual({ harbour_id: { owner: '$form.name' } });
  await user.click(button('Remove Harbour from Records that an import makes'));
  await openMore(user);
  await user.click(button('Add headings of'));
  await user.click(item('Name'));
  await user.type(box('Headings of Name'), 'Vessel{Enter}');
  await user.click(button('Add a program'));
  await user.click(button(/^Program 1/));
  await user.type(text('New heading'), 'Ship / Boat{Enter}');
  await user.click(box('Ship / Boat fills'));
  await user.click(screen.getByRole('option', { name: 'Name' }));
  expect(draftNow().import).toEqual({
    ...{ match: ['name'], synonyms: { name: ['Vessel'] } },
    tools: [{ name: 'Program 1', headings: ['Heading'], columns: { 'Ship / Boat': 'name' } }],
  });
  await user.click(button('Remove Program 1'));
  await user.click(button('Remove Name from Other headings'));
  await user.click(box('A row finds its record by'));
  await user.keyboard('{Backspace}');
  expect(draftNow().import).toEqual({});
});

it('exports have formats, and records can be copied', async () => {
  const user = showPanel(<DataPanel />, boats, registry);
  await user.type(text('New format'), 'A b{Enter}');
  expect(screen.getByText(/It begins with a small letter, followed by small letters/)).toBeTruthy();
  await user.clear(text('New format'));
  await user.type(text('New format'), 'csv{Enter}');
  // An emptied label is not a removed format: what is typed next belongs to it.
  await user.clear(text('Label of csv'));
  await user.type(text('Label of csv'), 'CSV');
  expect(draftNow().export).toEqual({ formats: { csv: 'CSV' } });
  await user.click(screen.getByRole('switch', { name: 'Records can be copied' }));
  await user.type(text('Appended to the copy’s title'), '2');
  await user.clear(text('Appended to the copy’s title'));
  expect(draftNow().copy).toEqual({});
  await user.click(screen.getByRole('switch', { name: 'Records can be downloaded' }));
  expect(draftNow().export).toBe(false);
});

it('a parameter has names with a condition each', async () => {
  const parameters = { state: { kind: 'named', conditions: { all: { name: 'x' } } } };
  const user = showPanel(<DataPanel />, { ...boats, parameters } as unknown as Source, registry);
  await user.click(button(/^State/));
  await user.type(text('New name'), 'big{Enter}');
  await user.type(text('big: records where: value'), 'Big');
  expect(draftNow().parameters!.state!.conditions).toEqual({ all: { name: 'x' }, big: { name: 'Big' } });
  await user.click(button('Remove all from Names'));
  expect(draftNow().parameters!.state!.conditions).toEqual({ big: { name: 'Big' } });
});

it('tabs of forms and lists say which records; forms are popups and lead on', async () => {
  const tabs = [{ name: 'harbours', label: 'Harbours', resource: 'harbours', filter: {} }];
  const user = showPanel(<FormPanel />, { ...boats, form: { tabs } } as unknown as Source, registry);
  await user.click(button(/^Harbours/));
  await user.click(button('Add to: Which records'));
  await user.click(item('Boat'));
  await user.click(button('Boat: value: variable'));
  await user.click(item('the boat'));
  await user.click(screen.getByRole('switch', { name: 'Within another record’s tab, Add opens it in a popup' }));
  await user.clear(text('Width of the popup'));
  await user.type(text('Width of the popup'), '70%');
  await user.click(button('Add a page to go to'));
  expect(draftNow().form).toEqual({
    tabs: [{ ...tabs[0], filter: { boat_id: '$record.id' } }],
    popup: { width: '70%' },
    redirects: [{ to: '/' }],
  });
  cleanup();

  const list = { tabs: [{ name: 'all', label: 'All', filter: {} }] };
  const again = showPanel(<TabsPanel />, { ...boats, list } as unknown as Source, registry);
  await again.click(button(/^All/));
  await again.click(button('Add to: Which records'));
  await again.click(item('Name'));
  await again.type(text('Name: value'), 'Ada');
  await again.click(screen.getByRole('switch', { name: 'Shown only while the URL names it' }));
  expect(draftNow().list!.tabs).toEqual([{ name: 'all', label: 'All', filter: { name: 'Ada' }, linkOnly: true }]);
});

it('a form is a dialog or a page by its size, or as it is set', async () => {
  const user = showPanel(<FormPanel />, boats, registry);
  const choose = async (shape: string) => {
    await user.click(box('The form is'));
    await user.click(screen.getByRole('option', { name: shape }));
  };
  await choose('A page');
  expect(draftNow().form).toEqual({ dialog: false });
  expect(screen.queryByRole('textbox', { name: 'Width' })).toBeNull();
  await choose('A dialog over its list');
  await user.clear(text('Width'));
  await user.type(text('Width'), '400');
  await user.click(screen.getByRole('switch', { name: 'It is a panel at the side' }));
  expect(draftNow().form).toEqual({ dialog: { width: 400, side: true } });
  await choose('By its size: a small one is a dialog');
  expect(draftNow().form?.dialog).toBeUndefined();
});

it('a card counts related records, and a question before restoring can be emptied', async () => {
  const fields = { ...boats.fields, harbours: { type: 'inverse', source: 'harbours.boat_id' } };
  const user = showPanel(<CardPanel />, { ...boats, fields } as unknown as Source, registry);
  await user.click(button('Add a count'));
  await user.click(button(/^Harbours/));
  await user.clear(text('One is called'));
  await user.type(text('One is called'), 'harbour');
  expect(draftNow().list!.card!.counts).toEqual([{ field: 'harbours', one: 'harbour', many: 'records' }]);
  cleanup();

  const archive = { confirmRestore: 'Sure?' };
  const again = showPanel(<ModulePanel />, { ...boats, archive } as unknown as Source, registry);
  await again.clear(text('Question before restoring'));
  expect(draftNow().archive).toEqual({});
  await again.click(box('Archived and restored with it'));
  await again.click(screen.getByRole('option', { name: 'Harbours, by Boat' }));
  expect(draftNow().archive).toEqual({ cascade: ['harbours.boat_id'] });
});

it('a condition compares the role of the user, by the names of roles', async () => {
  const definition = { ...boats, rules: [{ levels: [6], action: 'list', where: { name: 'x' } }] } as unknown as Source;
  const user = showPanel(<ConditionProperty pointer="/rules/0/where" label="Where" />, definition, registry);
  await user.click(box('Where: field'));
  await user.click(screen.getByRole('option', { name: 'The user’s role' }));
  await user.click(box('Where: value'));
  await user.click(await screen.findByRole('option', { name: 'External User' }));
  expect(draftNow().rules![0]!.where).toEqual({ '$actor.role': { $in: ['external-user'] } });
});

it('a download for another program has a name, a format, columns with headings, and texts', async () => {
  const user = showPanel(<DataPanel />, boats, registry);
  await user.type(text('New download'), 'books{Enter}');
  expect(draftNow().exports).toEqual({ books: { label: 'books', columns: ['id'] } });
  await user.click(box('Format'));
  await user.click(screen.getByRole('option', { name: 'Comma-separated values' }));
  await user.click(box('Between values'));
  await user.click(screen.getByRole('option', { name: 'Semicolon' }));
  await user.click(named('switch')('The first line has the headings'));
  await user.click(button(/^id\b/i));
  await user.click(button('Give it a heading or a text'));
  await user.type(text('Heading'), 'No.');
  await user.click(button('Add a column'));
  expect(draftNow().exports!.books).toEqual({
    label: 'books',
    format: 'csv',
    separator: ';',
    header: false,
    columns: [{ field: 'id', heading: 'No.' }, { field: 'id' }],
  });
});

it('a printed page begins with the title of a record, and ends without a trace', async () => {
  const user = showPanel(<DataPanel />, boats, registry);
  const printed = named('switch')('Records can be printed');
  await user.click(printed);
  expect(draftNow().print).toEqual({ template: ['<h1>{id}</h1>'] });
  await user.type(text('Template'), '{End}{Enter}Boat');
  await user.click(box('Paper'));
  await user.click(screen.getByRole('option', { name: 'Letter' }));
  expect(draftNow().print).toEqual({ template: ['<h1>{id}</h1>', 'Boat'], paper: 'Letter' });
  await user.click(printed);
  expect(draftNow().print).toBeUndefined();
});

it('a public form begins with a field, has values of others, and ends without a trace', async () => {
  const fields = { ...boats.fields, email: { type: 'email' } };
  const user = showPanel(<DataPanel />, { ...boats, fields } as unknown as Source, registry);
  const opened = named('switch')('There is a form for people without an account');
  await user.click(opened);
  expect(draftNow().public).toEqual({ create: { fields: ['name'] } });
  await user.type(text('Heading'), 'Moor');
  await user.click(named('switch')('A mail confirms it'));
  await user.click(button('Add a value'));
  await user.click(item('Harbour'));
  expect(draftNow().public!.create).toEqual({
    fields: ['name'],
    title: 'Moor',
    mail: { address: 'email', subject: 'Thank you', text: 'We have received it.' },
    values: { harbour_id: '' },
  });
  await user.click(opened);
  expect(draftNow().public).toBeUndefined();
});
