import Button from '@mui/material/Button';
import { useRef, useState } from 'react';
import { useGetOne } from 'react-admin';
import { isAllowedOnRecord, isGranted } from '../../../engine/access/access-decision';
import { useDefinitions } from '../../data/DefinitionsContext';
import { NoAccess } from '../../states/NoAccess';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { useCommands } from '../../commands/commands';
import { Icon } from '../../icons/Icon';
import { PageActions, usePage } from '../../layout/page';
import { EmptyState } from '../../states/EmptyState';
import { FailedState } from '../../states/FailedState';
import { SkeletonRows } from '../../states/SkeletonRows';
import { ApiError } from '../../session/apiError';
import { PageMenu } from './PageMenu';
import type { StoredPage } from './storedPage';
import { TileCard } from './TileCard';
import { TileDialog } from './TileDialog';
import { usePageChanges } from './usePageChanges';
import { PageRowsContext, usePageRows } from './usePageRows';
import * as styles from './pages.module.css';

/** A page of tiles: shown, and put together by whoever may change it. */
export function PageOfTiles({ id }: { id: number }) {
  const { actor } = useDefinitions();
  const {
    data: page,
    error,
    refetch,
  } = useGetOne<StoredPage>(
    'pages',
    { id },
    { enabled: isGranted(actor, 'pages', 'view'), retry: false, meta: { quiet: true } },
  );
  usePage({ title: page?.name ?? 'Page' });
  if (!isGranted(actor, 'pages', 'view')) return <NoAccess />;
  if (error instanceof ApiError && error.status === 404) return <NoAccess />;
  if (error && !page)
    return <FailedState title="The page could not be loaded" message={error.message} onRetry={() => void refetch()} />;
  return page ? <Tiles page={page} /> : <SkeletonRows />;
}

function Tiles({ page }: { page: StoredPage }) {
  const { registry, actor } = useDefinitions();
  const definition = registry.get('pages');
  const evaluationContext = useEvaluationContext(definition);
  const mayEdit = definition !== undefined && isAllowedOnRecord(actor, definition, 'edit', page, evaluationContext);
  const [editing, setEditing] = useState(false);
  const [isAdding, setIsAdding] = useState(false);
  const tiles = page.tiles ?? [];
  const changes = usePageChanges(page);
  const list = useRef<HTMLUListElement>(null);
  const rows = usePageRows(page.id, list);
  const isChanging = editing && mayEdit;
  const add = () => {
    setEditing(true);
    setIsAdding(true);
  };
  useCommands(
    () => [
      { id: 'add-tile', label: 'Add tile…', icon: 'plus', opensInput: true, run: add },
      {
        id: 'edit-page',
        label: isChanging ? 'Finish changing the page' : 'Change the page',
        icon: 'pencil',
        keys: 'e',
        run: () => setEditing(!editing),
      },
    ],
    mayEdit,
  );
  const visibleTiles = isChanging ? tiles : tiles.filter(({ kind }) => kind !== 'hidden');
  return (
    <PageRowsContext value={rows}>
      <PageActions>
        {isChanging && (
          <Button
            variant="outlined"
            className={styles.pageAction}
            title="Add tile"
            startIcon={<Icon name="plus" />}
            onClick={add}
          >
            <span className={styles.pageActionLabel}>Add tile</span>
          </Button>
        )}
        {mayEdit && (
          <Button
            className={styles.pageAction}
            title={isChanging ? 'Done' : 'Change'}
            variant={isChanging ? 'contained' : 'outlined'}
            startIcon={<Icon name={isChanging ? 'check' : 'pencil'} />}
            onClick={() => setEditing(!editing)}
          >
            <span className={styles.pageActionLabel}>{isChanging ? 'Done' : 'Change'}</span>
          </Button>
        )}
        <PageMenu page={page} changes={changes} />
      </PageActions>
      <p className="unseen" role="status">
        {changes.announcement}
      </p>
      {visibleTiles.length === 0 ? (
        <EmptyState
          title="Nothing on this page yet"
          sentence={
            mayEdit
              ? 'Add lists, charts and numbers of what you work with.'
              : 'None of its tiles is about something that you may open.'
          }
          action={
            mayEdit && (
              <Button variant="contained" autoFocus={isChanging} startIcon={<Icon name="plus" />} onClick={add}>
                Add tile
              </Button>
            )
          }
        />
      ) : (
        <ul ref={list} className={styles.pageTiles} aria-label={`Tiles of ${page.name}`}>
          {visibleTiles.map((tile) => (
            <TileCard
              key={tile.id}
              tile={tile}
              index={tiles.indexOf(tile)}
              count={tiles.length}
              changes={isChanging ? changes : undefined}
            />
          ))}
        </ul>
      )}
      {isAdding && (
        <TileDialog
          onClose={() => setIsAdding(false)}
          onAdd={(tile) => {
            setIsAdding(false);
            changes.add(tile);
          }}
        />
      )}
    </PageRowsContext>
  );
}
