import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import Popover from '@mui/material/Popover';
import useMediaQuery from '@mui/material/useMediaQuery';
import { keepPreviousData } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { useGetList, type RaRecord } from 'react-admin';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import type { Definition } from '../../../engine/definitions/definition';
import { formatTotal } from '../../../engine/formats/numbers';
import { scopeFilterName, type SwitcherDefinition } from '../../../engine/lists/list-scope';
import { isSavedView, parseListState } from '../../../engine/lists/list-state';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useTypedChoice } from '../../fields/choices/useTypedChoice';
import { Icon } from '../../icons/Icon';
import { lastAddress, rememberAddress } from '../../preferences/lastAddress';
import { chooseScope, useListScope, type ChosenScope } from '../../preferences/listScope';
import { forgetFilters } from '../../preferences/rememberedScreens';
import { useRemembered } from '../../preferences/useRemembered';
import { menuInDrawer } from '../../theme/overrides';
import { countsText, scopeOf, switcherFields } from './scopeOf';
import { useScopeCounts } from './useScopeCounts';
import * as styles from './switcher.module.css';

interface SwitcherPanelProps {
  definition: SwitcherDefinition;
  anchor: () => HTMLElement | null;
  onClose: () => void;
  /** Called after a record was chosen. */
  onChosen?: () => void;
}

/** A line of the panel; without a scope it is all records, by the id 0. */
interface ScopeOption {
  readonly id: number;
  readonly scope?: ChosenScope;
  readonly title: string;
  readonly detail: string;
  readonly group: string;
}

const mostRecent = 3;
/** How many records are offered; the others are found by their names. */
const mostOffered = 50;
const noIds: readonly number[] = [];

/** The records to which lists can be narrowed: all of them, those chosen lately, the others; with what is open in each. */
export default function SwitcherPanel({ definition, anchor, onClose, onChosen }: SwitcherPanelProps) {
  const { registry, actor } = useDefinitions();
  const { name: resource, labels, titleField } = definition;
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const isInDrawer = useMediaQuery(menuInDrawer, { noSsr: true });
  const chosenScope = useListScope();
  const person = actor.id;
  const [recentIds, setRecentIds] = useRemembered(`assay.scope.recent.${person}.${actor.site_id ?? 0}`, noIds);
  const [text, setText] = useState('');
  const searchText = text.trim();
  const params = {
    pagination: { page: 1, perPage: mostOffered },
    sort: { field: titleField, order: 'ASC' as const },
    meta: { fields: switcherFields(definition) },
  };
  const { data, total, error, isPending, isPlaceholderData } = useGetList<RaRecord<number>>(
    resource,
    { ...params, filter: searchText === '' ? {} : { q: searchText } },
    { placeholderData: keepPreviousData, meta: { quiet: true } },
  );
  // These may be further down than what is offered at first.
  const knownIds = [...new Set([...(chosenScope ? [chosenScope.id] : []), ...recentIds])];
  const { data: knownRecords } = useGetList<RaRecord<number>>(
    resource,
    { ...params, filter: { id: knownIds } },
    { enabled: knownIds.length > 0, meta: { quiet: true } },
  );
  const offeredRecords = useMemo(() => {
    const records = [...(data ?? []), ...(searchText === '' ? (knownRecords ?? []) : [])];
    return [...new Map(records.map((record) => [record.id, record])).values()];
  }, [data, knownRecords, searchText]);
  const counts = useScopeCounts(
    definition,
    offeredRecords.map(({ id }) => id),
  );
  const options = useMemo((): readonly ScopeOption[] => {
    const recordOptions = offeredRecords.map((record) => {
      const scope = scopeOf(definition, record);
      const group = recentIds.includes(scope.id) ? 'Recent' : recentIds.length > 0 ? 'Others' : labels.many;
      return { id: scope.id, scope, title: scope.title, detail: countsText(definition, scope.id, counts), group };
    });
    const rank = ({ id }: ScopeOption) => (recentIds.includes(id) ? recentIds.indexOf(id) : mostRecent);
    const sortedOptions = recordOptions.toSorted((left, right) => rank(left) - rank(right));
    // Until the answer comes, Enter must choose nothing that does not match.
    if (searchText !== '')
      return isPlaceholderData
        ? sortedOptions.filter(({ title }) => title.toLowerCase().includes(searchText.toLowerCase()))
        : sortedOptions;
    const detail =
      total === undefined ? '' : `${formatTotal(total)} ${(total === 1 ? labels.one : labels.many).toLowerCase()}`;
    return [{ id: 0, title: `All ${labels.many.toLowerCase()}`, detail, group: '' }, ...sortedOptions];
  }, [counts, definition, isPlaceholderData, labels, offeredRecords, recentIds, searchText, total]);

  const choose = ({ scope }: ScopeOption) => {
    onClose();
    onChosen?.();
    if (scope) setRecentIds([scope.id, ...recentIds.filter((id) => id !== scope.id)].slice(0, mostRecent));
    // A choice for everything ends the choices for single lists. A saved view keeps its own.
    const names = [...registry.definitions.values()].flatMap((definitionOfList) => {
      const name = scopeFilterName(definitionOfList, resource, actor);
      return name === undefined ? [] : [{ list: definitionOfList, name }];
    });
    for (const { list, name } of names) {
      forgetFilters(person, list.name, [name]);
      const lastQuery = lastAddress(person, list.name);
      if (lastQuery !== null) rememberAddress(person, list.name, withoutChoice(lastQuery, list, name));
    }
    const openList = names.find(({ list }) => pathname === `/${list.name}`);
    const query = new URLSearchParams(search).toString();
    const nextQuery = openList ? withoutChoice(query, openList.list, openList.name) : query;
    if (nextQuery !== query) void navigate({ search: nextQuery }, { replace: true });
    chooseScope(actor, scope);
  };
  const typedChoice = useTypedChoice({
    text,
    choices: options,
    loading: isPending || isPlaceholderData,
    pick: ({ id }) => options.filter((option) => option.id === id).forEach(choose),
  });
  return (
    <Popover
      open
      // Its key opens it also where the button is in a closed drawer.
      anchorReference={isInDrawer ? 'anchorPosition' : 'anchorEl'}
      anchorPosition={{ top: 52, left: window.innerWidth / 2 }}
      anchorEl={anchor}
      onClose={onClose}
      marginThreshold={12}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      transformOrigin={{ vertical: -4, horizontal: isInDrawer ? 'center' : 'left' }}
      slotProps={{
        paper: { className: styles.switcher, role: 'dialog', 'aria-label': `Switch ${labels.one.toLowerCase()}` },
      }}
      // Its keys are not those of the screen.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <Autocomplete
        open
        autoHighlight
        options={options}
        value={options.find(({ id }) => id === (chosenScope?.id ?? 0)) ?? null}
        inputValue={text}
        filterOptions={(offeredOptions) => [...offeredOptions]}
        groupBy={({ group }) => group}
        getOptionKey={({ id }) => id}
        getOptionLabel={({ title }) => title}
        isOptionEqualToValue={(option, value) => option.id === value.id}
        noOptionsText={
          error
            ? error.message
            : data && !isPlaceholderData
              ? `No ${labels.one.toLowerCase()} of that name.`
              : 'Loading…'
        }
        onInputChange={(_, next, reason) => {
          if (reason !== 'input') return;
          typedChoice.forget();
          setText(next);
        }}
        onKeyDown={(event) => event.key === 'Enter' && typedChoice.onKeyDown(event)}
        onChange={(_, option) => option && choose(option)}
        onClose={(_, reason) => reason === 'escape' && onClose()}
        slots={{ popper: InPlace, paper: Box }}
        slotProps={{ listbox: { 'aria-label': labels.many, 'aria-labelledby': undefined } }}
        renderInput={({ id, slotProps }) => (
          <OutlinedInput
            id={id}
            autoFocus
            fullWidth
            size="small"
            placeholder={`Find a ${labels.one.toLowerCase()}`}
            ref={slotProps.input.ref}
            startAdornment={
              <InputAdornment position="start">
                <Icon name="search" />
              </InputAdornment>
            }
            slotProps={{ input: { ...slotProps.htmlInput, 'aria-label': `Find a ${labels.one.toLowerCase()}` } }}
          />
        )}
        renderGroup={({ key, group, children }) => (
          <li key={key} role="presentation">
            {group !== '' && (
              <div className={styles.switcherGroup} aria-hidden="true">
                {group}
              </div>
            )}
            <ul role="group" aria-label={group || undefined}>
              {children}
            </ul>
          </li>
        )}
        renderOption={({ key, ...row }, { scope, title, detail }, { selected: isChosen }) => (
          <li key={key} {...row} className={`${row.className} ${styles.switcherOption}`}>
            <i aria-hidden="true">{scope ? scope.short : <Icon name="layers" />}</i>
            <span>
              {title}
              <small>{detail}</small>
            </span>
            {isChosen && <Icon name="check" label="Chosen" />}
          </li>
        )}
      />
      <footer className={styles.switcherFoot}>
        <Link to={`/${resource}`} onClick={onClose}>
          <Icon name={definition.menu.icon} />
          {labels.many}
        </Link>
        <span>
          <kbd>P</kbd> opens this from anywhere
        </span>
      </footer>
    </Popover>
  );
}

/** The query of a list without its own choice about the same. A saved view keeps its choice. */
function withoutChoice(queryText: string, list: Definition, name: string): string {
  const query = new URLSearchParams(queryText);
  const isSaved = isSavedView(parseListState(query, list));
  for (const key of isSaved ? ['page'] : ['page', name, `filter.${name}`]) query.delete(key);
  return query.toString();
}

/** The list stays in the panel instead of floating. */
function InPlace({ children }: { children?: unknown }) {
  return <div className={styles.switcherList}>{children as ReactNode}</div>;
}
