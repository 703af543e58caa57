// @module-tag slow
import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { fakeServer, fixtureDefinitions } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

const studios = [{ id: 1, name: 'Northwind', code: 'NWF', territory_id: 1, films: [], archive: false, site_id: 1 }];
const shown = () => screen.findByText(/Northwind/, { selector: '.MuiDataGrid-row *' });
const saved = () => {
  URL.createObjectURL = vi.fn(() => 'blob:here');
  URL.revokeObjectURL = vi.fn();
  return vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
};
const names: string[] = [];
afterEach(() => {
  names.length = 0;
});

describe('downloading a list', () => {
  it('requests the shown records in their order, and saves the file under the server’s name', async () => {
    saved();
    const file = { status: 200, headers: { 'Content-Disposition': 'attachment; filename="studios.xlsx"' } };
    const server = fakeServer({ rows: { studios }, answers: { 'GET /studios-export': file } });
    const user = renderApp('/studios?sort=-code');
    await shown();
    await user.click(await screen.findByRole('button', { name: 'Download Excel' }));
    await waitFor(() => expect(names).toEqual(['studios.xlsx']));
    const { query } = server.calls.find(({ path }) => path === '/studios-export')!;
    expect(query).toMatchObject({ format: 'xlsx', filter: '{}', sort: '["code","DESC"]' });
    expect(query.columns!.split(',')).toContain('name');
    await screen.findByRole('button', { name: 'Download Excel' });
  });

  it('offers CSV behind the other formats', async () => {
    saved();
    const file = { status: 200, headers: { 'Content-Disposition': 'attachment; filename="studios.csv"' } };
    const server = fakeServer({ rows: { studios }, answers: { 'GET /studios-export': file } });
    const user = renderApp('/studios');
    await shown();
    await user.click(await screen.findByRole('button', { name: 'Other formats' }));
    await user.click(await screen.findByText('Download CSV'));
    await waitFor(() => expect(names).toEqual(['studios.csv']));
    expect(server.calls.find(({ path }) => path === '/studios-export')?.query.format).toBe('csv');
  });

  it('offers a file to edit and import, with ids, where files can be imported', async () => {
    saved();
    const file = { status: 200, headers: { 'Content-Disposition': 'attachment; filename="shots.xlsx"' } };
    const server = fakeServer({ rows: { shots: studios }, answers: { 'GET /shots-export': file } });
    const user = renderApp('/shots');
    await user.click(await screen.findByRole('button', { name: 'Other formats' }));
    await user.click(await screen.findByText('Download Excel to edit and import'));
    await waitFor(() => expect(names).toEqual(['shots.xlsx']));
    const { query } = server.calls.find(({ path }) => path === '/shots-export')!;
    expect(query).toMatchObject({ format: 'xlsx', columns: '*', ids: '1' });
  });

  it('offers the named exports of a definition, with the filter and order of the list', async () => {
    saved();
    const file = { status: 200, headers: { 'Content-Disposition': 'attachment; filename="bookings.csv"' } };
    const exports = { accounting: { label: 'Accounting', format: 'csv', columns: ['name'] } } as Source['exports'];
    const definitions = fixtureDefinitions((one) => (one.name === 'studios' ? { ...one, exports } : one));
    const server = fakeServer({ rows: { studios }, definitions, answers: { 'GET /studios-export/accounting': file } });
    const user = renderApp('/studios?sort=-code');
    await shown();
    await user.click(await screen.findByRole('button', { name: 'Other formats' }));
    await user.click(await screen.findByText('Download for Accounting'));
    await waitFor(() => expect(names).toEqual(['bookings.csv']));
    const { query } = server.calls.find(({ path }) => path === '/studios-export/accounting')!;
    expect(query).toEqual({ filter: '{}', sort: '["code","DESC"]', progress: expect.any(String) });
  });

  it('is among what the dots offer where the definition asks for no button', async () => {
    saved();
    const definitions = fixtureDefinitions((one) => (one.name === 'studios' ? { ...one, export: undefined } : one));
    const file = { status: 200, headers: { 'Content-Disposition': 'attachment; filename="studios.xlsx"' } };
    fakeServer({ rows: { studios }, definitions, answers: { 'GET /studios-export': file } });
    const user = renderApp('/studios');
    await shown();
    await user.click(await screen.findByRole('button', { name: 'More' }));
    expect(screen.queryByRole('button', { name: 'Other formats' })).toBeNull();
    await user.click(await screen.findByText('Download Excel'));
    await waitFor(() => expect(names).toEqual(['studios.xlsx']));
  });

  it('shows why it failed', async () => {
    const busy = { status: 503, body: { message: 'Several downloads are in progress.' } };
    fakeServer({ rows: { studios }, answers: { 'GET /studios-export': busy } });
    const user = renderApp('/studios');
    await shown();
    await user.click(await screen.findByRole('button', { name: 'Download Excel' }));
    await screen.findByText('Several downloads are in progress.');
  });

  it('is not offered for an empty list', async () => {
    fakeServer({ rows: { studios: [] } });
    renderApp('/studios');
    await screen.findByText(/Total Records: 0/);
    expect(screen.queryByRole('button', { name: 'Download Excel' })).toBeNull();
  });
});
