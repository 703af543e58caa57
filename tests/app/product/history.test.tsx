// @module-tag slow
import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { product } from '../../../custom-screens';
import { screens } from '../../../custom-screens/screens';
import { fakeProductServer as fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import { runProduct } from '../support/runProduct';

beforeEach(() => runProduct(product));

const lines = [
  {
    old_values: { status_id: 2, expected_result: 'One charge is made' },
    new_values: { status_id: 3, expected_result: 'Exactly one charge is made' },
    event: 'updated',
    user: { id: 8, name: 'Priya Raman' },
    created_at: '2026-11-20T10:00:00.000Z',
    names: { status_id: { 2: 'Assign To Developer', 3: 'Ready for QA' } },
  },
];
const start = (path: string, resource: string, status: number, body: unknown) => {
  fakeServer({
    answers: { [`GET /${resource}/4/history`]: { status, body, headers: { 'Content-Range': 'history 0-0/1' } } },
  });
  renderApp(path, screens);
};

describe('the history of a record', () => {
  it.each(['/test-case-history/4', '/test-cases/4/history'])('shows names and differences, at %s', async (path) => {
    start(path, 'test-cases', 200, { data: lines });
    expect(await screen.findByText('Assign To Developer')).toBeTruthy();
    expect(await screen.findByText('Ready for QA')).toBeTruthy();
    expect(screen.getByText('Priya Raman')).toBeTruthy();
    expect(screen.getByText('Changed')).toBeTruthy();
    const marks = [...document.querySelectorAll('del, ins')].map(
      ({ tagName, textContent }) => `${tagName} ${textContent}`,
    );
    expect(marks).toEqual(['DEL One', 'INS Exactly one']);
    expect(document.title).toContain('Test Case History');
  });

  it('says why it cannot be shown', async () => {
    start('/test-case-history/4', 'test-cases', 503, { message: 'The database is asleep.' });
    expect(await screen.findByText('The database is asleep.')).toBeTruthy();
    expect(screen.getByText('Try again')).toBeTruthy();
  });

  it('says that the record was not found, and links to the list', async () => {
    start('/test-case-history/4', 'test-cases', 404, { message: 'Not found.' });
    expect(await screen.findByText('Test Case not found, or you have no access')).toBeTruthy();
    expect(screen.getByText('All test cases').closest('a')!.getAttribute('href')).toBe('/test-cases');
  });
});
