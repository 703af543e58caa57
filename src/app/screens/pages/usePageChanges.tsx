import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useDataProvider, useNotify } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import type { Registry } from '../../../engine/registry/registry';
import { moveTile, takeBack, unusedId, type Tile } from '../../../engine/pages/tiles';
import { requireValue } from '../../../engine/values/lookups';
import { useDefinitions } from '../../data/DefinitionsContext';
import { reportError } from '../../data/ErrorToasts';
import { useChangeToast } from '../../commands/useChangeToast';
import { refreshAfterSaving } from '../../data/refreshAfterSaving';
import { fetchApi } from '../../session/api';
import { useApi } from '../../session/apiClient';
import type { StoredPage } from './storedPage';

/** The values to store for the latest page; undefined if they would change more than is meant. */
type Change = (now: StoredPage) => Partial<StoredPage> | undefined;

/** The changes of a page and its tiles: each is stored at once, and can be taken back. */
export interface PageChanges {
  /** The last change in words, for screen readers. */
  readonly announcement: string;
  add(tile: Omit<Tile, 'id'>): void;
  remove(tile: Tile): void;
  /** `to` is its new place from 0. */
  move(id: string, to: number): void;
  setWide(tile: Tile, wide: boolean): void;
  setHome(isHome: boolean): void;
  /** Deletes the page, and leaves it. */
  deletePage(): void;
}

/** The name of a tile in messages: its title, or that of what it shows. */
export const tileName = ({ title, kind, module = '' }: Omit<Tile, 'id'>, registry: Registry): string =>
  title || (kind === 'mentions' ? 'Mentioned' : (registry.get(module)?.labels.many ?? 'Tile'));

/** Returns what can be done with a page. */
export function usePageChanges(page: StoredPage): PageChanges {
  const { registry } = useDefinitions();
  const dataProvider = useDataProvider();
  const ask = useApi();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const sayChanged = useChangeToast();
  const navigate = useNavigate();
  const [announcement, setAnnouncement] = useState('');
  // Changes follow each other: each starts from what the one before stored.
  const latest = useRef(page);
  const queue = useRef(Promise.resolve());
  useEffect(() => {
    if ((page.updated_at ?? '') >= (latest.current.updated_at ?? '')) latest.current = page;
  }, [page]);

  const nameOf = (tile: Omit<Tile, 'id'>) => tileName(tile, registry);
  const say = (words: string, undo?: () => void) => {
    setAnnouncement(words);
    sayChanged(words, undo);
  };
  /** Does one after the other; what fails is said, and the page is read again. */
  const enqueue = (work: () => Promise<void>) => {
    queue.current = queue.current.then(async () => {
      try {
        await work();
      } catch (error) {
        reportError(error as Error);
      } finally {
        await refreshAfterSaving(queryClient, 'pages');
      }
    });
  };
  /** Stores a change of the latest page. `undo` makes the change that takes only this one back. */
  const store = (change: Change, words: string, undo?: (before: StoredPage, after: StoredPage) => Change) =>
    enqueue(async () => {
      const { before: pageBefore, after: pageAfter } = await save(
        requireValue(change(latest.current), 'the values of a change'),
      );
      say(words, undo && (() => takeBackLater(words, undo(pageBefore, pageAfter))));
    });
  const takeBackLater = (words: string, change: Change) =>
    enqueue(async () => {
      const values = change(latest.current);
      if (values) {
        await save(values);
        say(`Taken back: ${words}`);
        return;
      }
      const refusal = `Not taken back, because it was changed again since: ${words}`;
      notify(refusal, { type: 'warning', messageArgs: { _: refusal } });
    });
  const save = async (values: Partial<StoredPage>) => {
    const pageBefore = latest.current;
    const { data: pageAfter } = await dataProvider.update<StoredPage>('pages', {
      id: pageBefore.id,
      data: { ...values, updated_at: pageBefore.updated_at },
      previousData: pageBefore,
    });
    latest.current = pageAfter;
    queryClient.setQueryData(['pages', 'getOne', { id: String(pageBefore.id), meta: undefined }], pageAfter);
    return { before: pageBefore, after: pageAfter };
  };
  /** `id` is that of the changed tile, given the tiles before; without it the change cannot be taken back. */
  const put = (
    change: (tiles: readonly Tile[]) => readonly Tile[],
    words: string,
    id?: (tiles: readonly Tile[]) => string,
  ) =>
    store(
      (now) => ({ tiles: change(tilesOf(now)) }),
      words,
      id &&
        ((pageBefore, pageAfter) => (now) => {
          const tiles = takeBack(id(tilesOf(pageBefore)), tilesOf(pageBefore), tilesOf(pageAfter), tilesOf(now));
          return tiles && { tiles };
        }),
    );
  return {
    announcement,
    add: (tile) => put((tiles) => [...tiles, { ...tile, id: unusedId(tiles) }], `${nameOf(tile)} added`, unusedId),
    // Values that the server does not send cannot be sent back.
    remove: (tile) =>
      put(
        (tiles) => tiles.filter(({ id }) => id !== tile.id),
        `${nameOf(tile)} removed`,
        tile.kind === 'hidden' ? undefined : () => tile.id,
      ),
    move: (id, newIndex) => {
      const tile = page.tiles?.find((candidate) => candidate.id === id);
      if (tile)
        put(
          (tiles) => moveTile(tiles, id, newIndex),
          `${nameOf(tile)} moved to place ${newIndex + 1}`,
          () => id,
        );
    },
    setWide: (tile, isWide) =>
      put(
        (tiles) => tiles.map((candidate) => (candidate.id === tile.id ? { ...candidate, wide: isWide } : candidate)),
        `${nameOf(tile)} is ${isWide ? 'two columns' : 'one column'} wide`,
        () => tile.id,
      ),
    setHome: (isHome) =>
      store(
        () => ({ is_home: isHome }),
        isHome ? `${page.name} is a home page` : `${page.name} is no home page`,
        () => (now) => (now.is_home === isHome ? { is_home: !isHome } : undefined),
      ),
    deletePage: () =>
      enqueue(async () => {
        await dataProvider.delete<StoredPage>('pages', { id: page.id, previousData: page });
        void navigate('/pages');
        const { id, name } = latest.current;
        say(`Page ${name} deleted`, () =>
          enqueue(async () => {
            await fetchApi('/pages/restore', { method: 'POST', json: { ids: [id] } }, ask);
            // That it was not there is not so any more.
            queryClient.removeQueries({ queryKey: ['pages', 'getOne'] });
            void navigate(`/pages/${id}/open`);
            say(`Page ${name} is back`);
          }),
        );
      }),
  };
}

const tilesOf = ({ tiles }: StoredPage): readonly Tile[] => tiles ?? [];
