import { createElement, useRef } from 'react';
import { RecordContextProvider, ResourceContextProvider, type RaRecord } from 'react-admin';
import type { RecordTile } from '../../../engine/definitions/definition';
import { formatListState } from '../../../engine/lists/list-state';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useResolvedValues } from '../../data/useEvaluationContext';
import type { PlaceHomeProps } from '../../record/RecordPage';
import { tabContentOf } from '../../record/tabs/tabContents';
import { RecordsTile } from './ListTile';
import { TileFrame } from './TileFrame';
import { PageRowsContext, usePageRows } from './usePageRows';
import { listPath, sortOf } from './useTileFilter';
import * as styles from './pages.module.css';

/** Lists by their place, as they are named where it cannot be seen. */
const labelStarts = { across: 'First tiles', beside: 'More tiles' } as const;

/** The tiles of one record: what other resources have of it, at a glance, and what happened there. */
export default function RecordTiles({ definition, record, tiles, activity, properties }: PlaceHomeProps) {
  const frame = useRef<HTMLDivElement>(null);
  const rows = usePageRows(`${definition.name}.${record.id}`, frame);
  const besideTiles = tiles.filter((tile) => tile.beside);
  const otherTiles = tiles.filter((tile) => !tile.beside);
  const wideTiles = otherTiles.filter((tile) => tile.wide);
  const owner = definition.labels.one.toLowerCase();
  const listOf = (members: readonly RecordTile[], position?: 'across' | 'beside') => (
    <ul
      className={styles.pageTiles}
      data-compact
      data-across={position === 'across' || undefined}
      aria-label={`${position ? labelStarts[position] : 'Tiles'} of the ${owner}`}
    >
      {members.map((tile) => (
        <li key={tile.name} className={styles.pageTile} data-wide={tile.wide || undefined}>
          <TileOfRecord tile={tile} record={record} />
        </li>
      ))}
      {!position && (
        <li className={styles.pageTile} data-wide>
          <TileFrame title="Recent activity">{activity}</TileFrame>
        </li>
      )}
    </ul>
  );
  return (
    <PageRowsContext value={rows}>
      <ResourceContextProvider value={definition.name}>
        <RecordContextProvider value={record}>
          {besideTiles.length === 0 ? (
            <div ref={frame}>{listOf(tiles)}</div>
          ) : (
            <div ref={frame} className={styles.splitTiles}>
              {wideTiles.length > 0 && listOf(wideTiles, 'across')}
              {listOf(otherTiles.filter((tile) => !tile.wide))}
              <div className={styles.besideTiles}>
                {listOf(besideTiles, 'beside')}
                {properties}
              </div>
            </div>
          )}
        </RecordContextProvider>
      </ResourceContextProvider>
    </PageRowsContext>
  );
}

function TileOfRecord({ tile, record }: { tile: RecordTile; record: RaRecord }) {
  const definition = useDefinitions().registry.getOrThrow(tile.resource);
  const filter = useResolvedValues(tile.filter, record);
  const content = tabContentOf(tile.content);
  if (content) return createElement(content);
  const { name, label, resource, columns, limit } = tile;
  const sort = sortOf(tile.sort) ?? definition.list.sort;
  // A tab with a filter of its own would hide records of the tile.
  const tab = definition.list.tabs.find((candidate) => Object.keys(candidate.filter).length === 0)?.name ?? null;
  const state = { filters: filter, q: '', page: 1, view: null, tab, sort };
  return (
    <RecordsTile
      tile={{ id: `${name}-${record.id}`, kind: 'list', title: label, module: resource, columns, limit }}
      definition={definition}
      records={{ filter, sort, listPath: listPath(definition, formatListState(state, definition)) }}
    />
  );
}
