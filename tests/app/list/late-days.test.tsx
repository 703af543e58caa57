import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { addDays, daysBetween, formatDate, sayDay } from '../../../src/engine/formats/dates';
import { localToday } from '../../../src/app/data/localTime';
import type { Source } from '../../../src/engine/language/source';
import { fakeServer, fixtureDefinitions } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

describe('a day', () => {
  it.each([
    ['2026-12-02', 'Today'],
    ['2026-12-03', 'Tomorrow'],
    ['2026-12-01', 'Yesterday'],
    ['2026-12-04', '4 Dec'],
    ['2026-11-30', '30 Nov'],
    ['2027-01-12', '12 Jan 2027'],
  ])('%s is said as %s on 2 December 2026', (day, words) => expect(sayDay(day, '2026-12-02')).toBe(words));

  it('is so many days from another, also where clocks change and in the first centuries', () => {
    expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2);
    expect(daysBetween('2026-03-30', '2026-03-28')).toBe(-2);
    expect(daysBetween('0099-12-31', '0100-01-01')).toBe(1);
  });
});

describe('a late record', () => {
  const highlight = { where: { is_late: true }, tone: 'urgent', label: 'Late', lateSince: 'ends_on' } as const;
  const withLateSince = (source: Source): Source =>
    source.name === 'shots' ? { ...source, list: { ...source.list, highlight } } : source;
  const serve = () => {
    const day = addDays(localToday(), -3);
    const shot = { id: 1, name: 'Storm', ends_on: day, is_late: true, status_id: 1 };
    fakeServer({ definitions: fixtureDefinitions(withLateSince), rows: { shots: [shot] } });
    return day;
  };

  it('says in the column of its date how late it is, and no more beside its title', async () => {
    const day = serve();
    renderApp('/shots?view=list');
    const row = (await screen.findByText('Storm')).closest<HTMLElement>('[role=row]')!;
    expect(within(row).getByText('3 days late').title).toBe(formatDate(day));
    expect(within(row).queryByText('Late')).toBeNull();
  });

  it('is marked beside its title where the column of its date is not shown', async () => {
    serve();
    renderApp('/shots?view=list&columns=name');
    const row = (await screen.findByText('Storm')).closest<HTMLElement>('[role=row]')!;
    expect(within(row).getByText('Late')).toBeTruthy();
  });
});
