import { expect, test } from 'vitest';
import type { Actor } from '../../src/engine/access/actor';
import { responseNames } from '../../src/engine/registry/response-names';
import { createRegistry } from '../../src/engine/registry/registry';
import { requestedFields } from '../../src/engine/lists/requested-fields';
import { fixtureDefinitions } from '../support/definitions';

const registry = createRegistry(fixtureDefinitions());
const actor = { id: 1, level: 2, role_id: 2, site_id: 1, permissions: {} } as unknown as Actor;
const asked = (name: string, shown: readonly string[] | null = null) =>
  requestedFields(
    registry.getOrThrow(name),
    registry,
    actor,
    shown &&
      registry
        .getOrThrow(name)
        .list.columns.map(({ field }) => ({ field, visibility: shown.includes(field), filter: false })),
  );

test.each([...registry.definitions.keys()])('%s: no list asks for what no answer has, or for a secret', (name) => {
  const known = responseNames(registry.getOrThrow(name), 'list');
  const names = asked(
    name,
    registry.getOrThrow(name).list.columns.map(({ field }) => field),
  );
  expect(names.filter((one) => !known.has(one))).toEqual([]);
  expect(asked(name)).toContain('id');
});

test('a list requests its columns, the fields used by actions and rules, and newly shown columns', () => {
  const names = asked('screenings');
  expect(names).toEqual(
    expect.arrayContaining(['name', 'status_id', 'status', 'operator', 'subpart', 'updated_at', 'site_id']),
  );
  // Texts that no column shows, and embeds of columns that are off.
  for (const absent of ['description', 'running_order', 'projector', 'shot', 'notes_count'])
    expect(names).not.toContain(absent);
  expect(asked('screenings', ['name', 'projector_id'])).toEqual(expect.arrayContaining(['projector_id', 'projector']));
  // Of the board: its lines, its counts and whether it is late; of the question before a deletion: what it counts.
  expect(asked('shots')).toEqual(expect.arrayContaining(['film', 'screenings_count', 'shifts_count', 'is_late']));
  expect(asked('films')).toEqual(expect.arrayContaining(['type', 'scenes_count', 'archived_at']));
});
