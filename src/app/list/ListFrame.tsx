import { useEffect, type ReactNode } from 'react';
import { perPage, type View } from '../../engine/lists/list-state';
import { AppliedFilters } from './AppliedFilters';
import { Body, type BodyProps } from './Body';
import { Footer } from './Footer';
import { ListPlaceContext, type ListPlace } from './ListPlace';
import { OldNote } from './OldNote';
import { Toolbar } from './Toolbar';
import { ActionsContext, useActions } from './useActions';
import './list.css';

interface ListFrameProps extends BodyProps {
  place: ListPlace;
  onView?: (view: View) => void;
  /** Shown above the toolbar. */
  children?: ReactNode;
}

/** The common parts of all lists: toolbar, active filters, records, pages and dialogs of actions. */
export function ListFrame({ place, records, onView, children, ...parts }: ListFrameProps) {
  const { definition, state, change, inputs, view } = parts;
  const { total, data } = records;
  const actions = useActions(definition, data);

  // The last record of the last page was deleted.
  const lastPage = total === undefined ? undefined : Math.max(1, Math.ceil(total / perPage));
  useEffect(() => {
    if (lastPage !== undefined && state.page > lastPage)
      change((old) => ({ ...old, page: lastPage }), { replace: true });
  }, [change, lastPage, state.page]);
  return (
    <ActionsContext value={actions}>
      <ListPlaceContext value={place}>
        {children}
        <Toolbar {...parts} onView={onView} />
        <AppliedFilters {...{ definition, state, change, inputs }} rows={data ?? []} />
        {records.oldSince !== undefined && <OldNote since={records.oldSince} onRetry={records.retry} />}
        <Body {...parts} records={records} />
        {view !== 'kanban' && (
          <Footer
            page={state.page}
            shown={data?.length}
            total={total}
            onPage={(page) => change((old) => ({ ...old, page }))}
          />
        )}
        {actions.dialogs}
      </ListPlaceContext>
    </ActionsContext>
  );
}
