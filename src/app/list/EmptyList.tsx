import Button from '@mui/material/Button';
import { Link } from 'react-router-dom';
import type { ListTab } from '../../engine/definitions/definition';
import { formatTotal } from '../../engine/formats/numbers';
import { emptySentence } from '../../engine/lists/empty-sentence';
import { activeTab, filterWithFixed, visibleTabs, tabNoun } from '../../engine/lists/tabs';
import { useDefinitions } from '../data/DefinitionsContext';
import { importPath } from '../data/importAccess';
import { Icon } from '../icons/Icon';
import { chooseScope, useListScope, useScopedFilter } from '../preferences/listScope';
import { EmptyState } from '../states/EmptyState';
import { lazyComponent } from '../states/lazyComponent';
import { AddButton } from './AddButton';
import { useResourceList } from './ResourceList';
import { noFixedFilter } from './useRecords';
import { useMayAdd } from '../actions/useMayAdd';
import { useTotal } from './useTotal';
import * as styles from './list.module.css';

const CopyableText = lazyComponent(() =>
  import('../dialogs/CopyableText').then((module) => ({ default: module.CopyableText })),
);

const noTabs: readonly ListTab[] = [];

/** Says that the list is empty, how many records there are in other tabs or without filters, and what to do next. */
export function EmptyList() {
  const { definition, state, change, fixedValues: fixedFilter, embedded } = useResourceList();
  const mayAdd = useMayAdd(definition);
  const { registry, actor } = useDefinitions();
  const importTo = importPath(definition, actor);
  const singular = definition.labels.one.toLowerCase();
  const hasFilters = Object.keys(state.filters).length > 0;
  const isNarrowed = hasFilters || state.q !== '';
  const advice = hasFilters ? 'Remove a filter' : 'Search for something else';
  const { emptyActions, emptyCommand } = definition.list;
  const command = emptyCommand?.replaceAll('{origin}', window.location.origin);
  const offersAdd = mayAdd && (isNarrowed || emptyActions.includes('add'));
  // A file is no answer to a filter, and its records would not be those of one other record.
  const offersImport = importTo !== undefined && !isNarrowed && !embedded && emptyActions.includes('import');
  const tab = embedded ? undefined : activeTab(definition, state);
  const otherTabs = tab ? visibleTabs(definition, tab).filter((visibleTab) => visibleTab !== tab) : noTabs;
  // A tab with all records is empty as the list is.
  const tabOfPart = tab && Object.keys(tab.filter).length > 0 ? tab : undefined;
  const scope = useListScope();
  const tabFilter = tab?.filter ?? noFixedFilter;
  const isScoped = useScopedFilter(definition, state, tabFilter) !== tabFilter && !embedded;
  const scopeInTabs = useScopedFilter(definition, state, noFixedFilter);
  const totalInTabs = useTotal(definition.name, filterWithFixed(state, scopeInTabs), otherTabs.length > 0);
  const totalOutside = useTotal(definition.name, filterWithFixed(state, tabFilter), isScoped);
  const scopes = (scope && registry.get(scope.resource)?.labels.many.toLowerCase()) ?? '';
  const totalUnfiltered = useTotal(definition.name, filterWithFixed({ filters: {}, q: '' }, fixedFilter), isNarrowed);
  const archived = state.filters.archive === 1 ? 'archived ' : '';
  const searchPhrase = state.q ? `with “${state.q}” ` : '';
  // A sentence of the definition says itself what to do next.
  const hint = definition.list.emptyText === undefined ? nextSentence(offersAdd, offersImport) : undefined;
  const defaultSentence = [emptySentence(definition), hint].filter(Boolean).join(' ');
  const next = `${advice}${mayAdd ? `, or add a ${singular}` : ''}.`;
  const [otherTab] = otherTabs;
  const parts = [
    isNarrowed
      ? `No ${archived}${singular} ${searchPhrase}is in ${tab ? `this tab` : 'this list'}.`
      : tabOfPart && totalInTabs !== 0
        ? `No ${tabNoun(tabOfPart)}.`
        : defaultSentence,
    ...(otherTab && totalInTabs
      ? [countSentence(totalInTabs, otherTabs.length === 1 ? tabNoun(otherTab) : 'in the other tabs')]
      : []),
    ...(isNarrowed && totalUnfiltered
      ? [`Without ${hasFilters ? 'filters' : 'the search'} there ${countPhrase(totalUnfiltered)}.`]
      : []),
    ...(isScoped && scope ? [`Only those of ${scope.title} are shown.`] : []),
    ...(isScoped && totalOutside ? [countSentence(totalOutside, `in all ${scopes}`)] : []),
    ...(isNarrowed ? [next] : []),
  ];
  return (
    <div className={styles.listEmpty}>
      <EmptyState
        sentence={parts.join(' ')}
        picture={isNarrowed ? undefined : definition.list.emptyPicture}
        action={
          <>
            {isScoped && (
              <Button variant="outlined" onClick={() => chooseScope(actor, undefined)}>
                All {scopes}
              </Button>
            )}
            {isNarrowed && (
              <Button
                variant="outlined"
                startIcon={<Icon name="close" />}
                onClick={() => change((current) => ({ ...current, filters: {}, q: '', page: 1 }))}
              >
                {hasFilters ? 'Clear filters' : 'Clear search'}
              </Button>
            )}
            {otherTab && otherTabs.length === 1 && (totalInTabs ?? 0) > 0 && (
              <Button
                variant="outlined"
                onClick={() =>
                  change((current) => ({
                    ...current,
                    tab: otherTab === definition.list.tabs[0] ? null : otherTab.name,
                    page: 1,
                  }))
                }
              >
                Show {tabNoun(otherTab)}
              </Button>
            )}
            {offersImport && (
              <Button component={Link} to={importTo} variant="outlined" startIcon={<Icon name="upload" />}>
                Import {definition.labels.many}
              </Button>
            )}
            {offersAdd && <AddButton definition={definition} />}
            {command !== undefined && !isNarrowed && <CopyableText text={command} label="command" />}
          </>
        }
      />
    </div>
  );
}

/** The next step in an empty list; undefined: there is none. */
function nextSentence(offersAdd: boolean, offersImport: boolean): string | undefined {
  if (offersAdd && offersImport) return 'Add the first, or import them from a file.';
  return offersAdd ? 'Add the first.' : offersImport ? 'Import them from a file.' : undefined;
}

const countPhrase = (count: number) => `${count === 1 ? 'is' : 'are'} ${formatTotal(count)}`;

/** `Closed test cases: 72.` */
function countSentence(count: number, subject: string): string {
  return `${subject.charAt(0).toUpperCase()}${subject.slice(1)}: ${formatTotal(count)}.`;
}
