import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ListSource, Source } from '../../../src/engine/language/source';
import { setPersonalFormats } from '../../../src/engine/formats/personal';
import { chartQuery } from '../../../src/engine/lists/charts';
import { groupKeyOf } from '../../../src/engine/lists/group-rows';
import { groupingOf } from '../../../src/engine/lists/grouping';
import { fakeServer, fixtureDefinitions, type Call } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import '../../../src/app/list/groups/GroupedList';
import '../../../src/app/list/display/DisplayPanel';

const stages = [
  { id: 2, name: 'Filming' },
  { id: 1, name: 'Planned' },
] as const;
const shot = (id: number, stage: number | null, hours: number) => ({
  id,
  name: `Shot ${id}`,
  status_id: stage,
  shotstatus: stages.find((one) => one.id === stage) ?? null,
  planned_hours: hours,
});
/** 20 records: 17 of the first group, 2 of the second, one of none. */
const all = [
  ...Array.from({ length: 17 }, (_, n) => shot(n + 1, 2, 1)),
  shot(18, 1, 10),
  shot(19, 1, 20),
  shot(20, null, 100),
];
const columns = ['name', 'status_id', 'planned_hours'];
type Shot = (typeof all)[number];
const keyOf = (one: Shot) => String(one.status_id ?? '');
const sumOf = (of: readonly Shot[]) => of.reduce((sum, one) => sum + one.planned_hours, 0);

/** The fields, of which a record needs its title alone. */
const withTitleOnly = (fields: Source['fields']) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, required: name === 'name' }]));

/** The fields, of which the choices of the status depend on the film. */
const withStatesOfFilm = ({ status_id: state, ...fields }: Source['fields']) =>
  ({ ...fields, status_id: { ...state, choices: { film_id: '$form.film_id' } } }) as Source['fields'];

/** A server that groups as the real one does. */
function serve(list: Partial<ListSource> = {}, rows: Shot[] = all, change = (fields: Source['fields']) => fields) {
  const order = ['2', '1', ''];
  const definitions = fixtureDefinitions((source) =>
    source.name === 'shots'
      ? {
          ...source,
          ...(list.quickAdd && { fields: change(withTitleOnly(source.fields) as Source['fields']) }),
          list: { ...source.list, columns, ...list },
        }
      : source,
  );
  const server = fakeServer({
    definitions,
    answers: {
      'GET /shots': ({ query }: Call) => {
        const closed = (JSON.parse(query.closed_groups ?? '[]') as unknown[]).map((one) => String(one ?? ''));
        const [first, last] = JSON.parse(query.range!) as [number, number];
        const sorted = query.group_by
          ? order.flatMap((key) => (closed.includes(key) ? [] : rows.filter((one) => keyOf(one) === key)))
          : rows;
        const data = sorted.slice(first, last + 1);
        return { status: 200, body: { data }, headers: { 'Content-Range': `shots ${first}-${last}/${sorted.length}` } };
      },
      'GET /shots/aggregate': ({ query }: Call) => {
        const figures = (of: readonly Shot[]) => ({
          count: of.length,
          ...(query.take!.includes('sum:planned_hours') && { sum: { planned_hours: sumOf(of) } }),
          ...(query.take!.includes('max:planned_hours') && { max: { planned_hours: 100 } }),
        });
        const groups = order.flatMap((key) => {
          const own = rows.filter((one) => keyOf(one) === key);
          const title = stages.find(({ id }) => String(id) === key)?.name ?? null;
          const named = { group: { status_id: own[0]?.status_id ?? null }, titles: { status_id: title } };
          return own.length > 0 ? [{ ...named, ...figures(own) }] : [];
        });
        return { status: 200, body: { data: query.group ? groups : [figures(rows)], totals: figures(rows) } };
      },
    },
  });
  return { server, lists: () => server.calls.filter(({ path, query }) => path === '/shots' && query.group_by) };
}

const address = () => new URLSearchParams(window.location.search);
const toggle = (name: RegExp) => screen.findByRole('button', { name });
const lines = () =>
  [...document.querySelectorAll<HTMLElement>('.MuiDataGrid-row')].map((row) =>
    row.textContent.replaceAll(/\s+/g, ' ').trim(),
  );
const headings = () => lines().filter((line) => !line.startsWith('Shot') && !line.startsWith('All'));

describe('a grouped list', () => {
  it('has headings with counts and totals, a line for the whole list, and pages by group', async () => {
    const { lists } = serve({ group: { field: 'status_id' }, totals: { planned_hours: 'sum' } });
    const user = renderApp('/shots?view=list');
    const filming = await toggle(/^Filming, 17 shots/);
    expect(filming.getAttribute('aria-expanded')).toBe('true');
    expect(headings()).toEqual(['Filming 17Sum 17.00']);
    // The totals are of all pages.
    expect(lines().at(-1)).toBe('All 20Sum 147.00');
    expect(lists().at(-1)!.query).toMatchObject({ group_by: 'status_id', range: '[0,14]' });
    expect(address().get('group')).toBeNull();

    await user.click(screen.getByRole('button', { name: 'Page 2' }));
    await waitFor(() =>
      expect(headings()).toEqual(['Filming 17Sum 17.00', 'Planned 2Sum 30.00', 'No status 1Sum 100.00']),
    );
    expect(lines().filter((line) => line.startsWith('Shot'))).toHaveLength(5);
  });

  it('is closed and opened by keys alone; closed groups are in the address and not loaded', async () => {
    const { lists } = serve({ group: { field: 'status_id' } });
    const user = renderApp('/shots?view=list');
    const filming = await toggle(/^Filming/);
    filming.closest<HTMLElement>('[role=gridcell]')!.focus();
    await user.keyboard('{ArrowLeft}');
    await waitFor(() => expect(headings()).toHaveLength(3));
    expect(address().get('closed')).toBe('2');
    expect((await toggle(/^Filming, 17 shots/)).getAttribute('aria-expanded')).toBe('false');
    expect(lists().at(-1)!.query.closed_groups).toBe('["2"]');
    // The count of the page's title is that of the list, closed or not.
    expect(await screen.findByText(/Total Records: 20/)).toBeTruthy();
    expect(screen.getByText('1–3 of 3')).toBeTruthy();
    await waitFor(() => expect(document.activeElement?.textContent).toMatch(/^Filming/));

    // The key again moves on, as in any grid; the other one opens it.
    await user.keyboard('{ArrowDown}{ArrowUp}{ArrowRight}');
    await waitFor(() => expect(address().get('closed')).toBeNull());
    await waitFor(() => expect(lines().filter((line) => line.startsWith('Shot'))).toHaveLength(15));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(address().get('closed')).toBe('2'));
    await user.click(await toggle(/^Planned, 2 shots/));
    await user.click(await toggle(/^No status/));
    await waitFor(() => expect(address().get('closed')).toBe('2,1,'));
    // All closed is not empty.
    await waitFor(() => expect(lines()).toEqual(['Filming 17', 'Planned 2', 'No status 1']));
  });

  it('is grouped by choice in its display, with totals; Back returns, and the choice is remembered', async () => {
    const { lists } = serve({ chooseColumns: true });
    const user = renderApp('/shots?view=list');
    await user.click(await screen.findByRole('button', { name: 'Display' }));
    const choose = async (name: string, option: string) => {
      await user.click(await screen.findByRole('combobox', { name }));
      await user.click(await screen.findByRole('option', { name: option }));
    };
    await choose('Group by', 'Status');
    await waitFor(() => expect(address().get('group')).toBe('status_id'));
    await waitFor(() => expect(lists().at(-1)?.query.group_by).toBe('status_id'));
    await choose('Total of Planned Hours', 'Highest');
    await waitFor(() => expect(address().get('totals')).toBe('planned_hours:max'));
    await waitFor(() => expect(headings()[0]).toBe('Filming 17Highest max100.00'));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    window.history.back();
    await waitFor(() => expect(address().get('totals')).toBeNull());
    window.history.back();
    await waitFor(() => expect(address().get('group')).toBeNull());
    await waitFor(() => expect(headings()).toEqual([]));
  });

  it('can be ungrouped although its definition groups it', async () => {
    const { server, lists } = serve({ group: { field: 'status_id' }, totals: { planned_hours: 'sum' } });
    renderApp('/shots?view=list&group=-&totals=-');
    await screen.findByText('Shot 1');
    expect(headings()).toEqual([]);
    expect(lists()).toEqual([]);
    expect(server.calls.some(({ path }) => path.endsWith('/aggregate'))).toBe(false);
  });

  it('selects records and no headings', async () => {
    serve({ group: { field: 'status_id' } });
    const user = renderApp('/shots?view=list');
    await toggle(/^Filming/);
    await user.click(screen.getByRole('checkbox', { name: /all rows/i }));
    expect(await screen.findByText(/15 selected/)).toBeTruthy();
  });

  it('has a line below each open group that adds a record to it by its title, and the next one follows', async () => {
    const { server } = serve({ group: { field: 'status_id' }, quickAdd: true });
    const user = renderApp('/shots?view=list&page=2');
    const line = await screen.findByRole('textbox', { name: 'Add a shot to Planned' });
    await user.type(line, 'A first take, 2 jj{Enter}Another{Enter}');
    const bodies = () => server.calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
    await waitFor(() =>
      expect(bodies()).toMatchObject([
        { name: 'A first take, 2 jj', status_id: 1 },
        { name: 'Another', status_id: 1 },
      ]),
    );
    expect(document.activeElement).toBe(line);
    expect(screen.queryByRole('textbox', { name: /^Add a shot to No / })).toBeNull();
    await user.click(await toggle(/^Planned, /));
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Add a shot to Planned' })).toBeNull());
  });

  it('takes what the group depends on from its records, and has no such line where they differ', async () => {
    const rows = all.map((row) => ({ ...row, film_id: row.status_id === 1 ? 3 : row.id }));
    const { server } = serve({ group: { field: 'status_id' }, quickAdd: true }, rows, withStatesOfFilm);
    const user = renderApp('/shots?view=list&page=2');
    await user.type(await screen.findByRole('textbox', { name: 'Add a shot to Planned' }), 'Another{Enter}');
    const added = () => server.calls.find(({ method }) => method === 'POST')?.body;
    await waitFor(() => expect(added()).toMatchObject({ name: 'Another', status_id: 1, film_id: 3 }));
    expect(screen.queryByRole('textbox', { name: 'Add a shot to Filming' })).toBeNull();
  });

  it('has the palette and the text of its line by their keys', async () => {
    serve({ group: { field: 'status_id' }, quickAdd: true });
    const user = renderApp('/shots?view=list&page=2');
    await user.type(await screen.findByRole('textbox', { name: 'Add a shot to Planned' }), 'A take');
    await user.keyboard('{Control>}a{/Control}');
    expect(screen.queryByText(/ selected/)).toBeNull();
    await user.keyboard('{Control>}k{/Control}');
    expect(await screen.findByRole('combobox', { name: 'Jump to' })).toBeTruthy();
  });

  it('counts again when records change', async () => {
    const { server } = serve({ group: { field: 'status_id' } });
    renderApp('/shots?view=list');
    await toggle(/^Filming/);
    const counts = () => server.calls.filter(({ path }) => path === '/shots/aggregate').length;
    const before = counts();
    act(() => server.publish({ resource: 'shots', id: 4, event: 'updated' }));
    await waitFor(() => expect(counts()).toBeGreaterThan(before));
  });

  it('shows cards under headings, with totals', async () => {
    serve({ group: { field: 'status_id' }, totals: { planned_hours: 'sum' }, views: ['list', 'cards'] });
    const user = renderApp('/shots?view=cards&page=2');
    const section = await screen.findByRole('region', { name: 'Planned' });
    expect(within(section).getByRole('heading', { name: /^Planned 2 / }).textContent).toMatch(
      /^Planned 2Planned Hours Sum 30/,
    );
    expect(within(section).getAllByRole('article')).toHaveLength(2);
    await user.click(within(section).getByRole('button', { name: /^Planned/ }));
    await waitFor(() => expect(address().get('closed')).toBe('1'));
    await waitFor(() => expect(within(section).queryAllByRole('article')).toHaveLength(0));
  });
});

it('weeks begin as the person begins them, for the server too', () => {
  const [shots] = fixtureDefinitions().filter(({ name }) => name === 'shots');
  const actor = { level: 2, permissions: { shots: ['list'] } } as never;
  const chart = { group: 'starts_on', step: 'week', take: 'count' } as never;
  const asked = () => [
    groupingOf({ group: 'starts_on:week' }, shots!, actor)?.name,
    groupingOf({ group: 'starts_on:month' }, shots!, actor)?.name,
    chartQuery(chart).group,
    groupKeyOf({ starts_on: '2026-11-29' }, { field: 'starts_on', unit: 'week' }, shots!, 'UTC'),
  ];
  try {
    setPersonalFormats(undefined, 0);
    expect(asked()).toEqual(['starts_on:week:0', 'starts_on:month', 'starts_on:week:0', '2026-11-29']);
    setPersonalFormats(undefined, 6);
    expect(asked()).toEqual(['starts_on:week:6', 'starts_on:month', 'starts_on:week:6', '2026-11-28']);
  } finally {
    setPersonalFormats();
  }
  expect(asked()).toEqual(['starts_on:week', 'starts_on:month', 'starts_on:week', '2026-11-23']);
});

it.each([
  ['2026-11-29', 'week', '2026-11-23'],
  ['2026-11-30', 'week', '2026-11-30'],
  ['2026-01-01', 'week', '2025-12-29'],
  ['2026-12-31', 'quarter', '2026-10-01'],
  ['2026-03-31', 'quarter', '2026-01-01'],
  ['2026-03-31', 'month', '2026-03-01'],
  ['2026-03-31', 'year', '2026-01-01'],
] as const)('%s is in the %s of %s', (day, unit, first) => {
  const [shots] = fixtureDefinitions().filter(({ name }) => name === 'shots');
  expect(groupKeyOf({ starts_on: day }, { field: 'starts_on', unit }, shots!, 'UTC')).toBe(first);
});
