// @module-tag slow
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createPersonalFormats } from '../../../src/engine/formats/create-personal-formats';
import { formatTotal } from '../../../src/engine/formats/numbers';
import { setPersonalFormats } from '../../../src/engine/formats/personal';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

/** A server with so many territories that their number is an estimate; what it was asked for each page. */
function longList(count: number) {
  const pages: string[] = [];
  fakeServer({
    answers: {
      'GET /territories': ({ query }) => {
        const [first = 0, last = 0] = JSON.parse(query.range ?? '[0,14]') as number[];
        const ids = Array.from({ length: Math.min(last + 1, count) - first }, (_, index) => first + index + 1);
        const { after, before, total } = query;
        if (last > first)
          pages.push(after === undefined ? (before === undefined ? 'place' : `before ${before}`) : `after ${after}`);
        return {
          status: after === 'gone' ? 400 : 200,
          body: ids.map((id) => ({ id, name: `Territory ${id}` })),
          headers: {
            'Content-Range': `territories ${first}-${last}/${total === 'estimate' ? 4_100_000 : count}`,
            ...(total === 'estimate' && { 'X-Total-Estimated': 'true' }),
            ...((after ?? before) !== undefined && {
              'X-After': first === 1050 ? 'gone' : `end-of-${first}`,
              'X-Before': `start-of-${first}`,
            }),
          },
        };
      },
    },
  });
  return pages;
}

describe('a list of millions', () => {
  it('says about how many records it has, and their exact number on request', async () => {
    longList(4_123_456);
    const user = renderApp('/territories');
    await screen.findByText('1–15 of about 4.1 million');
    expect(document.querySelector('h1')?.textContent).toBe('Territories | Total Records: about 4.1 million');
    expect(screen.queryByLabelText('Page 273,334')).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Count exactly' }));
    await screen.findByText('1–15 of 4,123,456');
    expect(document.querySelector('h1')?.textContent).toBe('Territories | Total Records: 4,123,456');
    expect(screen.queryByRole('button', { name: 'Count exactly' })).toBeNull();
    expect(screen.getByLabelText('Page 274,898')).toBeTruthy();
    expect(document.activeElement?.textContent).toBe('1–15 of 4,123,456');
    await user.click(screen.getByLabelText('Next page'));
    await screen.findByText('16–30 of 4,123,456');
  });

  it('shows the last page in place of one beyond the end', async () => {
    longList(40);
    renderApp('/territories?page=9');
    await screen.findByText('31–40 of 40');
  });

  it('goes on from the page beside it far in, and by place near its beginning', async () => {
    const pages = longList(4_123_456);
    const user = renderApp('/territories?page=67');
    await screen.findByText('991–1,005 of about 4.1 million');
    await user.click(screen.getByLabelText('Next page'));
    await screen.findByText('1,006–1,020 of about 4.1 million');
    await user.click(screen.getByLabelText('Next page'));
    await screen.findByText('1,021–1,035 of about 4.1 million');
    await user.click(screen.getByLabelText('Next page'));
    await screen.findByText('1,036–1,050 of about 4.1 million');
    await user.click(screen.getByLabelText('Previous page'));
    await screen.findByText('1,021–1,035 of about 4.1 million');
    expect(pages.filter((page, index) => page !== pages[index - 1])).toEqual([
      'place',
      'after ',
      'after end-of-1005',
      'after end-of-1020',
      'before start-of-1035',
    ]);
  });

  it('goes on by place where the record of a key is gone', async () => {
    const pages = longList(4_123_456);
    const user = renderApp('/territories?page=71');
    await screen.findByText('1,051–1,065 of about 4.1 million');
    await user.click(screen.getByLabelText('Next page'));
    await screen.findByText('1,066–1,080 of about 4.1 million');
    expect(pages.slice(-2)).toEqual(['after gone', 'after ']);
  });
});

it('an estimate is written with the decimal sign of the person', () => {
  setPersonalFormats(createPersonalFormats('de-DE'));
  expect(formatTotal(4_100_000.5)).toBe('about 4,1 million');
  setPersonalFormats();
});

it('an estimate stays one in sums and differences', () => {
  expect(formatTotal(100_001)).toBe('100,001');
  expect(formatTotal(120_000.5)).toBe('about 120 thousand');
  expect(formatTotal(4_100_000.5 - 30)).toBe('about 4.1 million');
});
