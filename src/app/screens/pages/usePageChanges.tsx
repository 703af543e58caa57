import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useDataProvider } from 'react-admin';
import { useNavigate } from 'react-router';
import { moveTile, type Tile } from '../../../engine/pages/tiles';
import { reportError } from '../../admin/ErrorToasts';
import { useChangeToast } from '../../commands/useChangeToast';
import { refreshAfterSaving } from '../../form/refreshAfterSaving';
import type { StoredPage } from './storedPage';

/** What can be done with a page and its tiles: each is stored at once, and can be taken back. */
export interface PageChanges {
  /** What was done last, for screen readers. */
  readonly said: string;
  add(tile: Omit<Tile, 'id'>): void;
  remove(tile: Tile): void;
  /** `to` is its new place from 0. */
  move(id: string, to: number): void;
  setWide(tile: Tile, wide: boolean): void;
  setHome(isHome: boolean): void;
  /** Deletes the page, and leaves it. */
  deletePage(): void;
}

/** The name of a tile in messages. */
export const tileName = ({ title, kind }: Pick<Tile, 'title' | 'kind'>): string =>
  title || (kind === 'mentions' ? 'Mentioned' : kind === 'hidden' ? 'Tile' : 'Tile without a title');

/** Returns what can be done with a page. */
export function usePageChanges(page: StoredPage): PageChanges {
  const dataProvider = useDataProvider();
  const queryClient = useQueryClient();
  const sayChanged = useChangeToast();
  const navigate = useNavigate();
  const [said, setSaid] = useState('');
  // Changes follow each other: each starts from what the one before stored.
  const latest = useRef(page);
  const queue = useRef(Promise.resolve());
  useEffect(() => {
    if ((page.updated_at ?? '') >= (latest.current.updated_at ?? '')) latest.current = page;
  }, [page]);

  const say = (words: string, undo?: () => void) => {
    setSaid(words);
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
  const store = (change: (now: StoredPage) => Partial<StoredPage>, words: string, isUndo = false) =>
    enqueue(async () => {
      const before = latest.current;
      const data = change(before);
      const { data: next } = await dataProvider.update<StoredPage>('pages', {
        id: before.id,
        data: { ...data, updated_at: before.updated_at },
        previousData: before,
      });
      latest.current = next;
      queryClient.setQueryData(['pages', 'getOne', { id: String(before.id), meta: undefined }], next);
      const back = Object.fromEntries(Object.keys(data).map((key) => [key, before[key] as unknown]));
      say(words, isUndo ? undefined : () => store(() => back, `Taken back: ${words}`, true));
    });
  const put = (change: (tiles: readonly Tile[]) => readonly Tile[], words: string) =>
    store((now) => ({ tiles: change(now.tiles ?? []) }), words);
  return {
    said,
    add: (tile) => put((tiles) => [...tiles, { ...tile, id: newId(tiles) }], `${tileName(tile)} added`),
    remove: (tile) => put((tiles) => tiles.filter(({ id }) => id !== tile.id), `${tileName(tile)} removed`),
    move: (id, to) => {
      const tile = page.tiles?.find((one) => one.id === id);
      if (tile) put((tiles) => moveTile(tiles, id, to), `${tileName(tile)} moved to place ${to + 1}`);
    },
    setWide: (tile, wide) =>
      put(
        (tiles) => tiles.map((one) => (one.id === tile.id ? { ...one, wide } : one)),
        `${tileName(tile)} is ${wide ? 'two columns' : 'one column'} wide`,
      ),
    setHome: (isHome) =>
      store(() => ({ is_home: isHome }), isHome ? `${page.name} is a home page` : `${page.name} is no home page`),
    deletePage: () =>
      enqueue(async () => {
        await dataProvider.delete<StoredPage>('pages', { id: page.id, previousData: page });
        void navigate('/pages');
        const { name, audience, role_id, is_home, tiles } = latest.current;
        say(`Page ${name} deleted`, () =>
          enqueue(async () => {
            const { data } = await dataProvider.create<StoredPage>('pages', {
              data: { name, audience, role_id, is_home, tiles },
            });
            void navigate(`/pages/${data.id}/open`);
            say(`Page ${name} is back`);
          }),
        );
      }),
  };
}

function newId(tiles: readonly Tile[]): string {
  let number = tiles.length + 1;
  while (tiles.some(({ id }) => id === `tile-${number}`)) number++;
  return `tile-${number}`;
}
