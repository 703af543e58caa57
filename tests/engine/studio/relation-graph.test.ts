import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { Source } from '../../../src/engine/language/source';
import { layOutGraph, neighbours, relationGraph } from '../../../src/engine/studio/relation-graph';

const labelled = (name: string, fields: Source['fields'] = {}): Source => ({
  name,
  labels: { one: name, many: name.toUpperCase() },
  fields,
});
const graphOf = (...sources: Source[]) => relationGraph(sources.map((source) => normalise(source)));

const boats = labelled('boats', {
  name: {},
  harbour_id: { type: 'relation', to: 'harbours', label: 'Home' },
  winter_id: { type: 'relation', to: 'harbours', label: 'In winter' },
  crew_ids: { type: 'relations', to: 'sailors', label: 'Crew' },
  parent_id: { type: 'relation', to: 'boats', label: 'Tender of' },
  trips: { type: 'rows', label: 'Trips', fields: { port_id: { type: 'relation', to: 'harbours', label: 'Port' } } },
  gone_id: { type: 'relation', to: 'gone', label: 'Retired' },
});

test('the graph of relations has the labels of fields, columns of rows and self-references included', () => {
  const graph = graphOf(boats, labelled('harbours'), labelled('sailors'), labelled('alone'));
  expect(graph.modules.map(({ label }) => label)).toEqual(['ALONE', 'BOATS', 'HARBOURS', 'SAILORS']);
  expect(graph.links).toEqual([
    { from: 'boats', to: 'harbours', fields: ['Home', 'In winter', 'Trips: Port'] },
    { from: 'boats', to: 'sailors', fields: ['Crew'] },
    { from: 'boats', to: 'boats', fields: ['Tender of'] },
  ]);
  expect(neighbours(graph, 'harbours')).toEqual({ from: [graph.links[0]], to: [] });
  expect(layOutGraph(graph)).toEqual([['boats'], ['harbours', 'sailors']]);
});

test('the graph of relations has a module left of its targets; each is drawn once', () => {
  const names = Array.from({ length: 40 }, (_, index) => `module_${index}`);
  const links = fc.array(fc.tuple(fc.nat(39), fc.nat(39)), { maxLength: 120 });
  fc.assert(
    fc.property(links, fc.boolean(), (pairs, circles) => {
      const own = pairs.map(([a, b]) => (circles ? [a, b] : [Math.min(a, b), Math.max(a, b)]));
      const sources = names.map((name, at) =>
        labelled(
          name,
          Object.fromEntries(
            own
              .filter(([from]) => from === at)
              .map(([, to], index) => [`field_${index}`, { type: 'relation' as const, to: names[to!]! }]),
          ),
        ),
      );
      const graph = graphOf(...sources);
      const columns = layOutGraph(graph);
      const drawn = columns.flat();
      expect(new Set(drawn).size).toBe(drawn.length);
      const proper = graph.links.filter(({ from, to }) => from !== to);
      expect(new Set(drawn)).toEqual(new Set(proper.flatMap(({ from, to }) => [from, to])));
      const column = (name: string) => columns.findIndex((one) => one.includes(name));
      if (!circles) for (const { from, to } of proper) expect(column(from)).toBeLessThan(column(to));
      expect(columns.every((one) => one.length > 0)).toBe(true);
    }),
    { numRuns: 60 },
  );
});
