import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeServer, type Call } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import '../../../src/app/list/charts/ChartsButton';
import '../../../src/app/list/charts/ChartsPanel';

// The charts above a list: shown by its button, following its filters, their numbers as a table that links to the records.

const group = (id: number | null, title: string | null, count: number) => ({
  group: { status_id: id },
  titles: { status_id: title },
  count,
});

function serve() {
  return fakeServer({
    rows: { shots: [{ id: 1, name: 'Charge once', film_id: 3, film: { id: 3, name: 'Checkout' } }] },
    answers: {
      'GET /shots/aggregate': ({ query }: Call) => {
        if (query.where) return { status: 200, body: { data: [{ group: {}, titles: {}, count: 1204 }] } };
        if (query.group === 'status_id')
          return { status: 200, body: { data: [group(2, 'Filming', 5), group(1, 'New', 3), group(null, null, 1)] } };
        if (query.group === 'film_id') return { status: 500, body: { message: 'No.', code: 'INTERNAL' } };
        return { status: 200, body: { data: [] } };
      },
    },
  });
}

const asked = ({ calls }: ReturnType<typeof serve>) => calls.filter(({ path }) => path === '/shots/aggregate');
const panel = () => screen.findByRole('region', { name: 'Charts of Shots' });

beforeEach(() => {
  // jsdom draws nothing: the numbers are what a chart says.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

describe('the charts of a list', () => {
  it('are counted only when they are shown, within the filters of the list', async () => {
    const server = serve();
    const user = renderApp('/shots?view=list&status_id=1,2');
    const button = await screen.findByRole('button', { name: 'Charts' });
    expect(button.getAttribute('aria-pressed')).toBe('false');
    expect(asked(server)).toEqual([]);
    await user.click(button);
    const charts = await panel();
    expect(await within(charts).findByText('1,204')).toBeTruthy();
    await waitFor(() => expect(new Set(asked(server).map(({ query }) => query.group)).size).toBe(5));
    for (const { query } of asked(server)) expect(query.filter).toBe('{"status_id":[1,2]}');
    expect(asked(server).find(({ query }) => query.where)?.query).toMatchObject({
      take: 'count',
      where: '{"is_late":true}',
    });

    // What cannot be loaded and what is empty say so, beside those that can.
    const card = (name: string) => within(charts).getByRole('region', { name });
    expect(await within(card('Planned hours by film')).findByText('This chart could not be loaded.')).toBeTruthy();
    expect(within(card('Starts by month')).getByText('No shots to show.')).toBeTruthy();

    const status = card('Shots by status');
    expect(status.querySelector('canvas')?.getAttribute('aria-label')).toBe(
      'Shots by status. New: 3; Filming: 5; No status: 1',
    );
    await user.click(within(status).getByRole('button', { name: 'Show the numbers of Shots by status' }));
    const rows = within(status).getAllByRole('row');
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'StatusShots by status',
      'New3',
      'Filming5',
      'No status1',
      'All9',
    ]);
    const link = within(rows[2]!).getByRole('link').getAttribute('href')!;
    expect(new URLSearchParams(link.split('?')[1]).get('status_id')).toBe('2');
    expect(within(rows[3]!).queryByRole('link')).toBeNull();

    await user.click(button);
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Charts of Shots' })).toBeNull());
  });

  it('are shown again on the next visit, and offered in no list without any', async () => {
    localStorage.setItem('assay.charts.shots', 'true');
    serve();
    renderApp('/shots?view=list');
    await within(await panel()).findByText('1,204');
    expect(screen.getByRole('button', { name: 'Charts' }).getAttribute('aria-pressed')).toBe('true');
  });

  it('are not offered in a list without charts', async () => {
    fakeServer({ rows: { films: [{ id: 3, name: 'Checkout' }] } });
    renderApp('/films?view=list');
    await screen.findByRole('link', { name: 'Checkout' });
    expect(screen.queryByRole('button', { name: 'Charts' })).toBeNull();
  });
});
