import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import { realUser } from '../../engine/access/actor';
import { appliedFilters, type AppliedFilter } from '../../engine/lists/applied-filters';
import type { FilterInput } from '../../engine/lists/filter-inputs';
import { formatFilterValue } from '../../engine/lists/filter-text';
import { takesRecords } from '../../engine/lists/row-actions';
import { withFilters } from '../../engine/lists/list-state';
import { useDefinitions } from '../data/DefinitionsContext';
import { Icon } from '../icons/Icon';
import { lazyComponent } from '../states/lazyComponent';
import { chooseScope, useListScope } from '../preferences/listScope';
import { rememberedQuery } from '../preferences/rememberedScreens';
import { QuickFilter } from './filters/FiltersButton';
import { useFilterTitles } from './filters/useFilterTitles';
import { useResourceList } from './ResourceList';
import * as styles from './toolbar.module.css';

const ScreensOfList = lazyComponent(() => import('./ScreensOfList').then((part) => ({ default: part.ScreensOfList })));

const noRows: readonly never[] = [];

/**
 * A chip for each active filter, which opens its values, each with a remove button, and a button to clear all. In a
 * toolbar that has room for one: a chip that shrinks.
 */
export function AppliedFilters({ isSingle }: { isSingle?: boolean }) {
  const { definition, state, change, inputs, showsScope, unsaved = [] } = useResourceList();
  const rememberedFilters = useRememberedFilters();
  const activeFilters = useMemo(
    () => appliedFilters(state.filters, inputs, definition),
    [definition, inputs, state.filters],
  );
  const [editedFilter, setEditedFilter] = useState<{ first?: FilterInput; anchor: HTMLElement }>();
  const remove = (keys: readonly string[]) =>
    change((current) => withFilters(current, Object.fromEntries(keys.map((key) => [key, undefined]))));
  return (
    <>
      {(activeFilters.length > 0 || showsScope) && (
        <div
          className={styles.listApplied}
          role="group"
          aria-label="Filters Applied"
          data-single={isSingle || undefined}
        >
          <span className={styles.listAppliedWord}>Filters Applied</span>
          {showsScope && <ScopeChip />}
          {activeFilters.map((filter) => (
            <span
              key={filter.keys.join()}
              className={styles.filterChip}
              data-unsaved={filter.keys.some((key) => unsaved.includes(key)) || undefined}
            >
              <button
                type="button"
                aria-haspopup="dialog"
                title="Change"
                onClick={({ currentTarget }) => setEditedFilter({ first: filter.input, anchor: currentTarget })}
              >
                {filter.label}: <b>{filter.text ?? <Titles filter={filter} />}</b>
              </button>
              {filter.keys.some((key) => unsaved.includes(key)) && <small>not saved</small>}
              {filter.keys.every((key) => rememberedFilters.get(key) === filterText(state.filters[key])) && (
                <small>remembered</small>
              )}
              <button type="button" aria-label={`Remove filter ${filter.label}`} onClick={() => remove(filter.keys)}>
                <Icon name="x" size={14} />
              </button>
            </span>
          ))}
          {activeFilters.length > 0 && (
            <Button
              variant="text"
              className={styles.filterClear}
              onClick={() => change((current) => ({ ...current, filters: {}, page: 1 }))}
            >
              Clear all
            </Button>
          )}
          {!isSingle && activeFilters.length > 0 && definition.list.actions.some(takesRecords) && <ScreensOfList />}
        </div>
      )}
      {editedFilter && <QuickFilter {...editedFilter} onClose={() => setEditedFilter(undefined)} />}
    </>
  );
}

/** The record in the switcher, and a button that shows all records again. */
function ScopeChip() {
  const { registry, actor } = useDefinitions();
  const scope = useListScope();
  const labels = registry.get(scope?.resource ?? '')?.labels;
  if (!scope || !labels) return null;
  return (
    <span className={styles.filterChip}>
      <span>
        {labels.one}: <b>{scope.title}</b>
      </span>
      <button
        type="button"
        aria-label={`Show all ${labels.many.toLowerCase()}`}
        onClick={() => chooseScope(actor, undefined)}
      >
        <Icon name="x" size={14} />
      </button>
    </span>
  );
}

/** The remembered filters when the list was opened. Embedded lists remember none. */
function useRememberedFilters(): URLSearchParams {
  const person = realUser(useDefinitions().actor).id;
  const { embedded, resource, screen = resource } = useResourceList();
  return useState(() => new URLSearchParams(embedded ? '' : rememberedQuery(person, screen)))[0];
}

/** A filter's value in a remembered query; null for none. */
function filterText(value: unknown): string | null {
  return value === undefined ? null : formatFilterValue(value);
}

function Titles({ filter: { ids, input } }: { filter: AppliedFilter }) {
  // The shown records have titles of filter values whose resource the user may not list.
  const { data = noRows } = useResourceList();
  const { titles, total } = useFilterTitles(input, ids, data);
  if (input?.allLabel && total !== undefined && ids.length >= total) return input.allLabel.replace(/^.*?: /, '');
  return ids.map((id) => titles.get(id) ?? `#${id}`).join(', ');
}
