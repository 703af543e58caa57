import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import {
  addRequest,
  moveRequest,
  removeRequest,
  renameRequest,
  withFixedValues,
} from '../../../src/engine/studio/request-edits';
import { faultsOf, shipped } from './support/all';

const shots = shipped.shots!;
const withBoard: Source = {
  ...shots,
  list: { ...shots.list, card: { ...shots.list!.card, menu: ['edit', 'comment'] } },
};

describe('requests that are edited in the studio', () => {
  it('are valid when they are added, each with a name of its own', () => {
    const first = addRequest(shots, 'name');
    const second = addRequest(first.source, 'name');
    expect(second.name).not.toBe(first.name);
    expect(faultsOf(second.source)).toEqual([]);
    expect(Object.keys(second.source.requests!)).toEqual(['comment', first.name, second.name]);
  });

  it('keep their place and all that names them when they are renamed', () => {
    const both = addRequest(withBoard, 'name');
    const renamed = renameRequest(both.source, 'comment', 'remark');
    expect(Object.keys(renamed.requests!)).toEqual(['remark', both.name]);
    expect(renamed.requests!.remark).toEqual(shots.requests!.comment);
    expect(renamed.list!.actions).toEqual(shots.list!.actions!.map((one) => (one === 'comment' ? 'remark' : one)));
    expect(renamed.list!.card!.menu).toEqual(['edit', 'remark']);
    expect(faultsOf(renamed)).toEqual([]);
    expect(renameRequest(renamed, 'remark', 'comment')).toEqual(both.source);
  });

  it('leave no row action or menu entry behind', () => {
    const removed = removeRequest(withBoard, 'comment');
    expect(removed).not.toHaveProperty('requests');
    expect(JSON.stringify([removed.list!.actions, removed.list!.card])).not.toContain('"comment"');
    expect(removed.list!.actions).toContainEqual(expect.objectContaining({ name: 'addShift' }));
  });

  it('keep the board that uses them, which then reports the missing request', () => {
    const board: Source = {
      ...shots,
      list: { ...shots.list, kanban: { column: 'status_id', request: 'comment' } as never },
    };
    expect(removeRequest(board, 'comment').list!.kanban!.request).toBe('comment');
    expect(renameRequest(board, 'comment', 'remark').list!.kanban!.request).toBe('remark');
  });

  it('can be moved', () => {
    const { source, name } = addRequest(shots, 'name');
    expect(Object.keys(moveRequest(source, 1, 0).requests!)).toEqual([name, 'comment']);
  });

  it('ask for the same fields whether their values are fixed or not, and keep keys that are not known', () => {
    const asking = { label: 'Done', sets: ['note'], later: 1 } as never;
    const fixed = withFixedValues(asking, true);
    expect(fixed).toEqual({ label: 'Done', sets: {}, asks: ['note'], later: 1 });
    expect(withFixedValues(fixed, false)).toEqual(asking);
    expect(withFixedValues(fixed, true)).toBe(fixed);
    expect(withFixedValues({ label: 'Add', adds: { resource: 'a', relation: 'b', fields: [] } }, true)).toEqual({
      ...{ label: 'Add', adds: { resource: 'a', relation: 'b', fields: [] }, sets: {} },
    });
    expect(withFixedValues({ label: 'Done', sets: { a: 1 } }, false)).toEqual({ label: 'Done' });
  });
});
