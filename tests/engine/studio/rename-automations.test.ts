import { describe, expect, it } from 'vitest';
import { removeField, renameField } from '../../../src/engine/studio/fields';
import type { AutomationSource } from '../../../src/engine/definitions/source';
import { source } from '../support/definitions';

const when: AutomationSource[] = [
  {
    name: 'late',
    on: ['update'],
    changed: ['state', 'name'],
    where: { $and: [{ state: 'open' }, { 'parent_id.state': { $ne: '$record.state' } }] },
    as: 'parent_id.owner_id',
    do: [
      {
        notify: ['owner_id', 'parent_id.owner_id', 'band_id.state'],
        text: '{name} of {parent_id.state}: {band_id.state}',
      },
      { notify: { roleNames: ['state'] }, text: 'state' },
      { mail: { to: 'owner_id', subject: '{state}', text: 'Was {state}' } },
      { set: { state: '$record.name', name: '{state}!', owner_id: '$actor.id' } },
      { create: 'songs', values: { state: '{state}', name: '$record.state', band_id: '$each.state' }, each: 'parts' },
      { create: 'bands', values: { state: '$record.state', name: '$each.state' }, each: 'bands' },
      { webhook: 'state' },
    ],
  },
  {
    name: 'state',
    transition: { field: 'state', to: 'state' },
    as: 'state@example.com',
    do: [{ set: { state: null } }],
  },
  { name: 'due', dueTime: { field: 'state', offset: '-1h' }, as: 'owner_id', do: [{ webhook: 'state' }] },
];
const songs = source({
  name: 'songs',
  fields: {
    name: {},
    state: {},
    owner_id: { type: 'relation', to: 'users' },
    band_id: { type: 'relation', to: 'bands' },
    bands: { type: 'relation', to: 'bands', many: true },
    parent_id: { type: 'relation', to: 'songs' },
    parts: { type: 'inverse', of: 'songs.parent_id' },
  },
  when,
});

describe('automations', () => {
  it('follow a renamed field wherever they name it, and nothing else that is called so', () => {
    expect(renameField(songs, 'state', 'phase').when).toEqual([
      {
        name: 'late',
        on: ['update'],
        changed: ['phase', 'name'],
        where: { $and: [{ phase: 'open' }, { 'parent_id.phase': { $ne: '$record.phase' } }] },
        as: 'parent_id.owner_id',
        do: [
          {
            notify: ['owner_id', 'parent_id.owner_id', 'band_id.state'],
            text: '{name} of {parent_id.phase}: {band_id.state}',
          },
          { notify: { roleNames: ['state'] }, text: 'state' },
          { mail: { to: 'owner_id', subject: '{phase}', text: 'Was {phase}' } },
          { set: { phase: '$record.name', name: '{phase}!', owner_id: '$actor.id' } },
          {
            create: 'songs',
            values: { phase: '{phase}', name: '$record.phase', band_id: '$each.phase' },
            each: 'parts',
          },
          { create: 'bands', values: { state: '$record.phase', name: '$each.state' }, each: 'bands' },
          { webhook: 'state' },
        ],
      },
      {
        name: 'state',
        transition: { field: 'phase', to: 'state' },
        as: 'state@example.com',
        do: [{ set: { phase: null } }],
      },
      { name: 'due', dueTime: { field: 'phase', offset: '-1h' }, as: 'owner_id', do: [{ webhook: 'state' }] },
    ]);
  });

  it('follow relations too, and back again', () => {
    const renamed = renameField(renameField(songs, 'owner_id', 'author_id'), 'parent_id', 'above_id');
    expect(renamed.when![0]).toMatchObject({
      as: 'above_id.author_id',
      where: { $and: [{}, { 'above_id.state': {} }] },
      do: [
        { notify: ['author_id', 'above_id.author_id', 'band_id.state'] },
        {},
        { mail: { to: 'author_id' } },
        {},
        {},
        {},
        {},
      ],
    });
    expect(renameField(renameField(renamed, 'above_id', 'parent_id'), 'author_id', 'owner_id').when).toEqual(when);
    expect(renameField(songs, 'parts', 'pieces').when![0]!.do[4]).toMatchObject({ each: 'pieces' });
  });

  it('stay as they are without a field, and each place is told', () => {
    const { source: left, unresolved } = removeField(songs, 'state');
    expect(left.when).toEqual(when);
    expect(unresolved).toEqual(
      expect.arrayContaining([
        '/when/0/changed/0',
        '/when/0/where',
        '/when/0/do/0/text',
        '/when/0/do/2/mail/subject',
        '/when/0/do/3/set/state',
        '/when/0/do/5/values/state',
        '/when/1/transition/field',
        '/when/2/dueTime/field',
      ]),
    );
    expect(unresolved).not.toContain('/when/0/do/0/notify/2');
  });
});
