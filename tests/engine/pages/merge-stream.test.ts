import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeStream } from '../../../src/engine/pages/merge-stream';

const entry = (key: string, minute: number) => ({ key, at: new Date(minute * 60_000).toISOString() });

describe('a stream of several sources', () => {
  it('hides entries that unloaded entries may precede', () => {
    const comments = [entry('a', 9), entry('b', 5)];
    const changes = [entry('c', 7), entry('d', 3)];
    const merged = mergeStream([
      { entries: comments, hasMore: true },
      { entries: changes, hasMore: false },
    ]);
    expect(merged.entries.map(({ key }) => key)).toEqual(['a', 'c', 'b']);
    expect(merged.next).toEqual([0]);
  });

  it('has an entry of two pages once', () => {
    const moved = [entry('a', 9), entry('b', 5), entry('b', 5)];
    expect(mergeStream([{ entries: moved, hasMore: false }]).entries.map(({ key }) => key)).toEqual(['a', 'b']);
  });

  it('shows each entry once, newest first, however the pages are cut, and only older ones after those that are shown', () => {
    const source = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 25 });
    fc.assert(
      fc.property(fc.array(source, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 6 }), (sources, size) => {
        const all = sources.map((minutes, place) =>
          minutes.toSorted((one, other) => other - one).map((minute, index) => entry(`${place}.${index}`, minute)),
        );
        const loaded = all.map(() => 1);
        let shown: string[] = [];
        for (;;) {
          const { entries, next } = mergeStream(
            all.map((entries, place) => ({
              entries: entries.slice(0, loaded[place]! * size),
              hasMore: loaded[place]! * size < entries.length,
            })),
          );
          const times = entries.map(({ at }) => Date.parse(at));
          expect(times).toEqual(times.toSorted((one, other) => other - one));
          const keys = entries.map(({ key }) => key);
          const last = times[keys.indexOf(shown.at(-1) ?? '')] ?? Infinity;
          expect(entries.filter(({ key, at }) => !shown.includes(key) && Date.parse(at) > last)).toEqual([]);
          expect(shown.filter((key) => !keys.includes(key))).toEqual([]);
          shown = keys;
          if (next.length === 0) break;
          for (const place of next) loaded[place]!++;
        }
        expect(shown.toSorted()).toEqual(
          all
            .flat()
            .map(({ key }) => key)
            .toSorted(),
        );
      }),
    );
  });
});
