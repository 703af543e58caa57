import { describe, expect, it } from 'vitest';
import { removeField, renameField } from '../../../src/engine/studio/fields';
import type { AutomationSource } from '../../../src/engine/language/source';
import { source } from '../support/definitions';

const when: AutomationSource[] = [
  {
    name: 'late',
    events: ['update'],
    changedFields: ['state', 'name'],
    where: { $and: [{ state: 'open' }, { 'parent_id.state': { $ne: '$record.state' } }] },
    runAs: 'parent_id.owner_id',
    steps: [
      {
        notify: ['owner_id', 'parent_id.owner_id', 'band_id.state'],
        text: '{name} of {parent_id.state}: {band_id.state}',
      },
      { notify: { roleNames: ['state'] }, text: 'state' },
      { mail: { to: 'owner_id', subject: '{state}', text: 'Was {state}' } },
      { set: { state: '$record.name', name: '{state}!', owner_id: '$actor.id' } },
      {
        create: 'songs',
        values: { state: '{state}', name: '$record.state', band_id: '$each.state' },
        forEach: 'parts',
      },
      { create: 'bands', values: { state: '$record.state', name: '$each.state' }, forEach: 'bands' },
      { webhook: 'state' },
    ],
  },
  {
    name: 'state',
    transition: { field: 'state', to: 'state' },
    runAs: 'state@example.com',
    steps: [{ set: { state: null } }],
  },
  { name: 'due', dueTime: { field: 'state', offset: '-1h' }, runAs: 'owner_id', steps: [{ webhook: 'state' }] },
];
const songs = source({
  name: 'songs',
  fields: {
    name: {},
    state: {},
    owner_id: { type: 'relation', to: 'users' },
    band_id: { type: 'relation', to: 'bands' },
    bands: { type: 'relation', to: 'bands' },
    parent_id: { type: 'relation', to: 'songs' },
    parts: { type: 'inverse', source: 'songs.parent_id' },
  },
  automations: when,
});

describe('automations of a definition whose fields are renamed', () => {
  it('follow a renamed field wherever they name it, and nothing else that is called so', () => {
    expect(renameField(songs, 'state', 'phase').automations).toEqual([
      {
        name: 'late',
        events: ['update'],
        changedFields: ['phase', 'name'],
        where: { $and: [{ phase: 'open' }, { 'parent_id.phase': { $ne: '$record.phase' } }] },
        runAs: 'parent_id.owner_id',
        steps: [
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
            forEach: 'parts',
          },
          { create: 'bands', values: { state: '$record.phase', name: '$each.state' }, forEach: 'bands' },
          { webhook: 'state' },
        ],
      },
      {
        name: 'state',
        transition: { field: 'phase', to: 'state' },
        runAs: 'state@example.com',
        steps: [{ set: { phase: null } }],
      },
      { name: 'due', dueTime: { field: 'phase', offset: '-1h' }, runAs: 'owner_id', steps: [{ webhook: 'state' }] },
    ]);
  });

  it('follow relations too, and back again', () => {
    const renamed = renameField(renameField(songs, 'owner_id', 'author_id'), 'parent_id', 'above_id');
    expect(renamed.automations![0]).toMatchObject({
      runAs: 'above_id.author_id',
      where: { $and: [{}, { 'above_id.state': {} }] },
      steps: [
        { notify: ['author_id', 'above_id.author_id', 'band_id.state'] },
        {},
        { mail: { to: 'author_id' } },
        {},
        {},
        {},
        {},
      ],
    });
    expect(renameField(renameField(renamed, 'above_id', 'parent_id'), 'author_id', 'owner_id').automations).toEqual(
      when,
    );
    expect(renameField(songs, 'parts', 'pieces').automations![0]!.steps[4]).toMatchObject({ forEach: 'pieces' });
  });

  it('stay unchanged when a field is removed, and each place is reported', () => {
    const { source: left, unresolved } = removeField(songs, 'state');
    expect(left.automations).toEqual(when);
    expect(unresolved).toEqual(
      expect.arrayContaining([
        '/automations/0/changedFields/0',
        '/automations/0/where',
        '/automations/0/steps/0/text',
        '/automations/0/steps/2/mail/subject',
        '/automations/0/steps/3/set/state',
        '/automations/0/steps/5/values/state',
        '/automations/1/transition/field',
        '/automations/2/dueTime/field',
      ]),
    );
    expect(unresolved).not.toContain('/automations/0/steps/0/notify/2');
  });
});
