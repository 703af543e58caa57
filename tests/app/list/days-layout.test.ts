import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { normalise } from '../../../src/engine/normalise/normalise';
import { addDays, daysBetween } from '../../../src/engine/formats/dates';
import { matchesCondition } from '../../../src/engine/conditions/match-condition';
import { addMonths, daysFrom, weekOf, nextBar, placeBars, weeksOfMonth } from '../../../src/app/list/days/layout';
import { daysCondition, movedSpan, spanOf, valuesOfSpan, type Grip, type Span } from '../../../src/app/list/days/spans';
import { spanWords, weekNumber } from '../../../src/app/list/days/words';
import { sourceOf } from '../../support/definitions';

const base = '2026-03-02';
const day = fc.integer({ min: -40, max: 60 }).map((at) => addDays(base, at));
const span = fc.tuple(day, fc.nat(30)).map(([from, length]): Span => ({ from, to: addDays(from, length) }));
const bars = fc.array(span, { maxLength: 40 }).map((all) => all.map((one, id) => ({ id, span: one })));
const width = fc.constantFrom(7, 14, 28, 91);

describe('bars in lanes', () => {
  it('never overlap in a lane, are cut off at the edges, and include each one with a day in the row', () =>
    fc.assert(
      fc.property(bars, width, (all, count) => {
        const segments = placeBars(all, base, count);
        const last = addDays(base, count - 1);
        const taken = new Set<string>();
        for (const { id, from, to, lane, isStart, isEnd } of segments) {
          const { span: own } = all[id]!;
          expect(addDays(base, from)).toBe(own.from < base ? base : own.from);
          expect(addDays(base, to)).toBe(own.to > last ? last : own.to);
          expect([isStart, isEnd]).toEqual([own.from >= base, own.to <= last]);
          for (let column = from; column <= to; column++) {
            const place = `${lane}/${column}`;
            expect(taken.has(place)).toBe(false);
            taken.add(place);
          }
        }
        const within = all.filter(({ span: own }) => own.from <= last && own.to >= base);
        expect(segments.map(({ id }) => id).toSorted((one, other) => one - other)).toEqual(within.map(({ id }) => id));
      }),
    ));

  it('use no more lanes than there are bars on the fullest day', () =>
    fc.assert(
      fc.property(bars, width, (all, count) => {
        const segments = placeBars(all, base, count);
        const perDay = daysFrom(base, count).map(
          (one) => all.filter(({ span: own }) => own.from <= one && one <= own.to).length,
        );
        expect(Math.max(-1, ...segments.map(({ lane }) => lane)) + 1).toBe(Math.max(0, ...perDay));
      }),
    ));

  it('that are done come below the open ones, and fill what these leave', () => {
    const span = (from: number, to: number) => ({ from: addDays(base, from), to: addDays(base, to) });
    const lanes = placeBars(
      [
        { id: 'done week', span: span(0, 6), isDone: true },
        { id: 'done day', span: span(0, 0), isDone: true },
        { id: 'open end', span: span(3, 6) },
        { id: 'open day', span: span(4, 4) },
      ],
      base,
      7,
    ).map(({ id, lane }) => [id, lane]);
    expect(lanes).toEqual([
      ['open end', 0],
      ['open day', 1],
      ['done week', 2],
      ['done day', 0],
    ]);
  });

  it('are all reached by the right arrow, each once', () =>
    fc.assert(
      fc.property(bars, (all) => {
        const rows = [base, addDays(base, 7)].map((first) => placeBars(all, first, 7));
        const ids = new Set(rows.flat().map(({ id }) => id));
        let at = nextBar(rows, -1, 'right');
        const met = new Set(ids.size === 0 ? [] : [at]);
        for (let step = 0; step < ids.size; step++) met.add((at = nextBar(rows, at, 'right')));
        if (ids.size > 0) expect(met).toEqual(ids);
      }),
    ));

  it('lead up and down to the nearest of the lane or week beside', () => {
    const rows = [base, addDays(base, 7)].map((first) =>
      placeBars(
        [
          { id: 'a', span: { from: base, to: addDays(base, 1) } },
          { id: 'b', span: { from: base, to: base } },
          { id: 'c', span: { from: addDays(base, 5), to: addDays(base, 5) } },
          { id: 'd', span: { from: addDays(base, 8), to: addDays(base, 8) } },
          { id: 'e', span: { from: addDays(base, 12), to: addDays(base, 12) } },
        ],
        first,
        7,
      ),
    );
    expect([nextBar(rows, 'a', 'down'), nextBar(rows, 'c', 'down'), nextBar(rows, 'd', 'up')]).toEqual(['b', 'e', 'a']);
    expect([nextBar(rows, 'a', 'up'), nextBar(rows, 'e', 'down')]).toEqual(['a', 'e']);
  });
});

describe('days', () => {
  it('are counted across a change of the clocks and a leap day', () => {
    expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2);
    expect(daysBetween('2028-03-01', '2028-02-28')).toBe(-2);
    expect([weekOf('2026-11-22'), weekOf('2026-11-23')]).toEqual(['2026-11-16', '2026-11-23']);
    expect([addMonths('2026-01-31', 1), addMonths('2026-01-01', -1)]).toEqual(['2026-02-28', '2025-12-01']);
    expect(weeksOfMonth('2026-11-21')).toEqual(daysFrom('2026-10-26', 42).filter((_, at) => at % 7 === 0));
    expect(weeksOfMonth('2027-02-01')).toHaveLength(4);
    expect([weekNumber('2026-11-16'), weekNumber('2026-12-28'), weekNumber('2027-01-04')]).toEqual([47, 53, 1]);
  });

  it('are written short', () => {
    expect(spanWords({ from: '2026-11-24', to: '2026-11-26' })).toBe('24 – 26 Nov 2026');
    expect(spanWords({ from: '2026-11-30', to: '2026-12-02' })).toBe('30 Nov – 2 Dec 2026');
    expect(spanWords({ from: '2026-12-30', to: '2027-01-02' })).toBe('30 Dec 2026 – 2 Jan 2027');
  });
});

const trips = (type: 'date' | 'datetime') =>
  normalise(
    sourceOf(
      'trips',
      { name: {}, begins: { type }, ends: { type } },
      {
        list: { views: ['list', 'calendar'], calendar: { start: 'begins', end: 'ends' } },
      },
    ),
  );
const plain = trips('date');
const timed = trips('datetime');
const calendar = plain.list.calendar!;

describe('the days of a record', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('are those between its two dates, or the one that it has', () => {
    const of = (begins: unknown, ends: unknown) => spanOf(plain, calendar, { begins, ends });
    expect(of('2026-03-02', '2026-03-04')).toEqual({ from: '2026-03-02', to: '2026-03-04' });
    expect(of('2026-03-02', null)).toEqual({ from: '2026-03-02', to: '2026-03-02' });
    expect(of(null, '2026-03-04')).toEqual({ from: '2026-03-04', to: '2026-03-04' });
    expect(of('2026-03-05', '2026-03-04')).toEqual({ from: '2026-03-05', to: '2026-03-05' });
    expect(of(null, 'soon')).toBeUndefined();
  });

  it('move as a whole, or at one end that does not pass the other', () =>
    fc.assert(
      fc.property(
        span,
        fc.constantFrom<Grip>('both', 'start', 'end'),
        fc.integer({ min: -50, max: 50 }),
        (own, grip, by) => {
          const next = movedSpan(own, grip, by);
          expect(next.from <= next.to).toBe(true);
          if (grip === 'both') expect(daysBetween(next.from, next.to)).toBe(daysBetween(own.from, own.to));
          const record = { begins: own.from, ends: own.to };
          const values = valuesOfSpan(plain, calendar, record, grip, next);
          expect(spanOf(plain, calendar, { ...record, ...values })).toEqual(next);
          expect('begins' in values && grip === 'end').toBe(false);
          expect('ends' in values && grip === 'start').toBe(false);
        },
      ),
    ));

  it('are found by their condition exactly where they meet the shown days', () =>
    fc.assert(
      fc.property(span, fc.constantFrom('both', 'begins', 'ends'), span, (own, has, shown) => {
        const record = {
          begins: has === 'ends' ? null : own.from,
          ends: has === 'begins' ? null : own.to,
        };
        const days = spanOf(plain, calendar, record)!;
        const meets = days.from <= shown.to && days.to >= shown.from;
        const condition = daysCondition(plain, calendar, shown.from, shown.to);
        expect(matchesCondition(condition, record, {} as never)).toBe(meets);
      }),
    ));

  it('keep the hour of a time when the clocks change', () => {
    vi.stubEnv('TZ', 'Europe/Vienna');
    const record = { begins: '2026-03-28T08:30:00.000Z', ends: '2026-03-28T23:30:00.000Z' };
    expect(spanOf(timed, calendar, record)).toEqual({ from: '2026-03-28', to: '2026-03-29' });
    const next = movedSpan({ from: '2026-03-28', to: '2026-03-29' }, 'both', 2);
    expect(valuesOfSpan(timed, calendar, record, 'both', next)).toEqual({
      begins: '2026-03-30T07:30:00.000Z',
      ends: '2026-03-30T22:30:00.000Z',
    });
    expect(daysCondition(timed, { label: '', start: 'begins' }, '2026-03-29', '2026-03-29')).toEqual({
      begins: { $gte: '2026-03-28T23:00:00.000Z', $lt: '2026-03-29T22:00:00.000Z' },
    });
  });

  it('are given by a handle to a record that has only the other', () => {
    const record = { begins: '2026-03-02', ends: null };
    const own = spanOf(plain, calendar, record)!;
    expect(valuesOfSpan(plain, calendar, record, 'end', movedSpan(own, 'end', 3))).toEqual({ ends: '2026-03-05' });
    expect(valuesOfSpan(plain, calendar, record, 'both', movedSpan(own, 'both', 3))).toEqual({ begins: '2026-03-05' });
  });
});
