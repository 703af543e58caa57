import Button from '@mui/material/Button';
import { Link } from 'react-router';
import type { ListTab } from '../../engine/definitions/definition';
import { formatNumber } from '../../engine/formats/numbers';
import { emptySentence } from '../../engine/lists/empty-sentence';
import { activeTab, filterWithFixed, visibleTabs, tabNoun } from '../../engine/lists/tabs';
import { useDefinitions } from '../admin/DefinitionsContext';
import { importPath } from '../screens/imports/importAccess';
import { Icon } from '../icons/Icon';
import { EmptyState } from '../states/EmptyState';
import { AddButton } from './AddButton';
import { useResourceList } from './ResourceList';
import { noFixedFilter } from './useRecords';
import { useMayAdd } from './useMayAdd';
import { useTotal } from './useTotal';
import * as styles from './list.module.css';

const none: readonly ListTab[] = [];

/** Says that the list is empty, how many records there are in other tabs or without filters, and what to do next. */
export function EmptyList() {
  const { definition, state, change, fixed, embedded } = useResourceList();
  const mayAdd = useMayAdd(definition);
  const { actor } = useDefinitions();
  const importTo = importPath(definition, actor);
  const one = definition.labels.one.toLowerCase();
  const filtered = Object.keys(state.filters).length > 0;
  const narrowed = filtered || state.q !== '';
  const what = filtered ? 'Remove a filter' : 'Search for something else';
  const { emptyActions } = definition.list;
  const offersAdd = mayAdd && (narrowed || emptyActions.includes('add'));
  // A file is no answer to a filter, and its records would not be those of one other record.
  const offersImport = importTo !== undefined && !narrowed && !embedded && emptyActions.includes('import');
  const tab = embedded ? undefined : activeTab(definition, state);
  const others = tab ? visibleTabs(definition, tab).filter((other) => other !== tab) : none;
  // A tab with all records is empty as the list is.
  const isPart = tab !== undefined && Object.keys(tab.filter).length > 0;
  const elsewhere = useTotal(definition.name, filterWithFixed(state, noFixedFilter), others.length > 0);
  const without = useTotal(definition.name, filterWithFixed({ filters: {}, q: '' }, fixed), narrowed);
  const archived = state.filters.archive === 1 ? 'archived ' : '';
  const found = state.q ? `with “${state.q}” ` : '';
  // A sentence of the definition says itself what to do next.
  const hint = definition.list.emptyText === undefined ? nextSentence(offersAdd, offersImport) : undefined;
  const usual = [emptySentence(definition), hint].filter(Boolean).join(' ');
  const next = `${what}${mayAdd ? `, or add a ${one}` : ''}.`;
  const [other] = others;
  const parts = [
    narrowed
      ? `No ${archived}${one} ${found}is in ${tab ? `this tab` : 'this list'}.`
      : isPart && elsewhere !== 0
        ? `No ${tabNoun(tab!)}.`
        : usual,
    ...(other && elsewhere
      ? [countSentence(elsewhere, others.length === 1 ? tabNoun(other) : 'in the other tabs')]
      : []),
    ...(narrowed && without ? [`Without ${filtered ? 'filters' : 'the search'} there ${countPhrase(without)}.`] : []),
    ...(narrowed ? [next] : []),
  ];
  return (
    <div className={styles.listEmpty}>
      <EmptyState
        sentence={parts.join(' ')}
        action={
          <>
            {narrowed && (
              <Button
                variant="outlined"
                startIcon={<Icon name="close" />}
                onClick={() => change((old) => ({ ...old, filters: {}, q: '', page: 1 }))}
              >
                {filtered ? 'Clear filters' : 'Clear search'}
              </Button>
            )}
            {other && others.length === 1 && (elsewhere ?? 0) > 0 && (
              <Button
                variant="outlined"
                onClick={() =>
                  change((old) => ({ ...old, tab: other === definition.list.tabs[0] ? null : other.name, page: 1 }))
                }
              >
                Show {tabNoun(other)}
              </Button>
            )}
            {offersImport && (
              <Button component={Link} to={importTo} variant="outlined" startIcon={<Icon name="upload" />}>
                Import {definition.labels.many}
              </Button>
            )}
            {offersAdd && <AddButton definition={definition} />}
          </>
        }
      />
    </div>
  );
}

/** What to do next with an empty list; undefined: nothing. */
function nextSentence(offersAdd: boolean, offersImport: boolean): string | undefined {
  if (offersAdd && offersImport) return 'Add the first, or import them from a file.';
  return offersAdd ? 'Add the first.' : offersImport ? 'Import them from a file.' : undefined;
}

const countPhrase = (count: number) => `${count === 1 ? 'is' : 'are'} ${formatNumber(count)}`;

/** `Closed test cases: 72.` */
function countSentence(count: number, what: string): string {
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}: ${formatNumber(count)}.`;
}
