import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useDataProvider, type RaRecord } from 'react-admin';
import { isSequence } from '../../engine/field-types/sequence';
import { recordPath } from '../../engine/lists/row-actions';
import { itemAt } from '../../engine/values/lookups';
import { recordTitleOf } from '../chips/titleOf';
import { CommandPalette } from '../commands/CommandPalette';
import {
  matchEntries,
  readPaletteText,
  splitTypedAhead,
  type PaletteEntry,
  type PaletteProps,
  type PaletteSection,
} from '../commands/palette';
import { recentRecords, type RecentRecord } from '../commands/recent';
import { relativeTime } from '../layout/relativeTime';
import { mayAdd } from '../actions/useMayAdd';
import { fetchApi } from '../session/api';
import { useListScope, type ChosenScope } from '../preferences/listScope';
import { useApi } from '../session/apiClient';
import { useDefinitions, type Definitions } from '../data/DefinitionsContext';
import { menuDefinitions } from './menu';
import { useAddAnywhere } from './useAddAnywhere';
import { RecordPalette, type ChosenRecord } from '../record/RecordPalette';

interface FoundRecord {
  resource: string;
  id: number;
  title: string;
  key: string | null;
  subtitle: string | null;
}

const documentation: PaletteEntry = {
  ...{ id: 'go /docs', icon: 'help', label: 'Documentation', words: 'help reference' },
  run: () => void window.open('/docs', '_blank', 'noopener'),
};
const debounceDelay = 120;
const mostFound = 20;
/** Records shown among the other sections; the rest follows when asked for. */
const firstFound = 6;
const mostRecent = 5;
const mostPlaces = 6;
/** Before anything is typed. */
const mostPlacesAtFirst = 5;
const mostNew = 3;

/** The command palette of the application: records of all modules, actions, places, and what was opened last. */
export function AdminPalette({ groups, commands, typedAhead, onClose }: PaletteProps) {
  const definitions = useDefinitions();
  const [keysAhead, setKeysAhead] = useState(() => [...(typedAhead?.current ?? [])]);
  const [typedText, setTypedText] = useState(() => splitTypedAhead(keysAhead).text);
  const [isLong, setLong] = useState(false);
  const [chosenRecord, setChosenRecord] = useState<ChosenRecord>();
  const choose = useCallback((record: ChosenRecord) => {
    setKeysAhead([]);
    setChosenRecord(record);
  }, []);
  const { mode, text } = readPaletteText(typedText);
  const [isEverywhere, setEverywhere] = useState(false);
  const chosenScope = useListScope();
  const scope = isEverywhere || mode === 'people' ? undefined : chosenScope;
  const {
    found: foundRecords,
    searching: isSearching,
    problem,
  } = useFoundRecords(mode === 'actions' ? '' : text, mode, scope, definitions);
  const { recent, loading } = useRecentRecords(definitions, typedText === '', choose);
  const creating = useCreateEntries(definitions);

  const sections = useMemo(() => {
    const modules = groups.flatMap((group) =>
      group.items.flatMap(({ tabs, ...item }) =>
        (tabs ?? [item]).map(({ to: path, icon, label, key }) => ({
          ...{ id: `go ${path}`, icon, label, to: path, ...(key && { keys: `G ${key.toUpperCase()}` }) },
          note: [group.label, ...(tabs ? [item.label] : [])].filter(Boolean).join(', '),
        })),
      ),
    );
    // It is about definitions and running the program, so it is for those who may change them.
    const destinations = modules.some((item) => item.to === '/studio') ? [...modules, documentation] : modules;
    const actions = commands
      .filter(({ keysOnly, isRefused }) => !keysOnly && !isRefused)
      .map(({ id, label, icon = 'chevron-right', keys, recordsText: subject, run }) => ({
        ...{ id: `do ${id}`, icon, label, keys, run },
        ...(subject !== undefined && { note: subject }),
      }));
    const isEmpty = text === '' && mode === 'all';
    // Before anything is typed, only what can be done with the record in focus or the selection.
    const doable = isEmpty
      ? actions.filter(({ note }) => note !== undefined)
      : matchEntries([...actions, ...creating], text);
    const records = foundRecords.map((foundRecord) => recordEntry(foundRecord, definitions, choose));
    const visibleEntries = isLong || mode !== 'all' ? records : records.slice(0, firstFound);
    const hidden = records.length - visibleEntries.length;
    const moreEntry = {
      id: 'more',
      icon: 'chevron-down',
      label: `Show ${hidden} more`,
      keepsOpen: true,
      run: () => setLong(true),
    };
    const isNarrowed = scope !== undefined && text !== '' && mode !== 'actions' && !isSearching;
    const wideSearch: readonly PaletteEntry[] = isNarrowed
      ? [
          {
            ...{ id: 'everywhere', icon: 'layers', label: 'Search everywhere', note: `Only in ${scope.title}` },
            ...{ keepsOpen: true, run: () => setEverywhere(true) },
          },
        ]
      : [];
    const goTo =
      text === ''
        ? isEmpty
          ? [...destinations.filter(({ keys }) => keys), ...destinations.filter(({ keys }) => !keys)].slice(
              0,
              mostPlacesAtFirst,
            )
          : []
        : [
            ...matchEntries(destinations, text).slice(0, mostPlaces),
            ...(mode === 'all' ? searchEntries(foundRecords, text, definitions) : []),
          ];
    const allSections: PaletteSection[] = [
      {
        label: mode === 'people' ? 'People' : 'Records',
        note:
          records.length === 0
            ? undefined
            : records.length < mostFound
              ? `${records.length} found`
              : `the best ${mostFound}`,
        entries:
          records.length > 0 ? [...visibleEntries, ...(hidden > 0 ? [moreEntry] : []), ...wideSearch] : noEntries,
      },
      ...(isEmpty ? [{ label: 'Recent', entries: recent }] : []),
      ...(mode === 'all' || mode === 'actions' ? [{ label: 'Actions', entries: doable }] : []),
      ...(mode === 'all' || mode === 'actions' ? [{ label: 'Go to', entries: goTo }] : []),
      // After what can be done and opened: Enter is for that.
      ...(records.length === 0 ? [{ label: 'Records', entries: wideSearch }] : []),
      ...(isEmpty ? [{ label: 'New', entries: creating.filter(({ keys }) => keys).slice(0, mostNew) }] : []),
    ];
    // Among actions and places, what begins with the typed text comes first.
    const startsWithText = ({ entries: [first] }: PaletteSection) =>
      first?.label.toLowerCase().startsWith(text.toLowerCase()) === true;
    if (mode === 'actions')
      allSections.sort((left, right) => Number(startsWithText(right)) - Number(startsWithText(left)));
    return allSections.filter(({ entries }) => entries.length > 0);
  }, [choose, commands, creating, definitions, foundRecords, groups, isLong, isSearching, mode, recent, scope, text]);

  if (chosenRecord)
    return <RecordPalette {...chosenRecord} onBack={() => setChosenRecord(undefined)} onClose={onClose} />;
  return (
    <CommandPalette
      typedAhead={keysAhead}
      text={typedText}
      onText={(next) => {
        setTypedText(next);
        setLong(false);
      }}
      sections={sections}
      isSearching={isSearching || loading}
      problem={problem}
      onClose={onClose}
    />
  );
}

/** The records that the server finds for a text, debounced; meanwhile those of the text before. */
function useFoundRecords(text: string, mode: string, scope: ChosenScope | undefined, { registry }: Definitions) {
  const ask = useApi();
  const scopeText = scope ? `${scope.resource}:${scope.id}` : undefined;
  const [requestedText, setRequestedText] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setRequestedText(text), text === '' ? 0 : debounceDelay);
    return () => clearTimeout(timer);
  }, [text]);
  const people = useMemo(
    () => [...registry.definitions.values()].filter(({ chip }) => chip?.shape === 'avatar').map(({ name }) => name),
    [registry],
  );
  const { data, error, isFetching } = useQuery({
    queryKey: ['palette', mode === 'people', requestedText, scopeText],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ q: requestedText, limit: String(mostFound) });
      if (mode === 'people') query.set('resources', people.join());
      if (scopeText !== undefined) query.set('scope', scopeText);
      return (await fetchApi<{ data: FoundRecord[] }>(`/search?${query.toString()}`, { signal }, ask)).data;
    },
    enabled: requestedText !== '',
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const isAnswer = text !== '' && requestedText !== '';
  const foundRecords = useMemo(() => {
    const allRecords = isAnswer && data ? data : noRecords;
    return mode === 'keys'
      ? allRecords.filter((candidate) => candidate.key !== null || String(candidate.id) === requestedText)
      : allRecords;
  }, [requestedText, data, isAnswer, mode]);
  return {
    found: foundRecords,
    searching: text !== '' && (isFetching || requestedText !== text),
    problem: isAnswer && error ? `Records could not be searched: ${error.message}` : undefined,
  };
}

const noRecords: readonly FoundRecord[] = [];
const noEntries: readonly PaletteEntry[] = [];

type OnActions = (record: ChosenRecord) => void;

function recordEntry(foundRecord: FoundRecord, { registry }: Definitions, onActions: OnActions): PaletteEntry {
  const { resource, id, title, key, subtitle } = foundRecord;
  const definition = registry.get(resource);
  return {
    id: `record ${resource} ${id}`,
    icon: definition?.menu?.icon ?? 'text',
    label: title,
    recordKey: key ?? undefined,
    note: [subtitle, definition?.labels.one].filter(Boolean).join(', '),
    to: definition ? recordPath(definition, { id }) : `/${resource}/${id}`,
    isFound: true,
    ...(definition && { onActions: (typedAhead) => onActions({ definition, id, title: key ?? title, typedAhead }) }),
  };
}

/** The lists that contain what was found, searched for the same text. */
function searchEntries(foundRecords: readonly FoundRecord[], text: string, { registry }: Definitions): PaletteEntry[] {
  return [...new Set(foundRecords.map(({ resource }) => resource))].slice(0, 3).flatMap((resource) => {
    const definition = registry.get(resource);
    if (!definition?.menu) return [];
    const { menu, labels } = definition;
    const path = `/${resource}?q=${encodeURIComponent(text)}`;
    return [{ id: `list ${resource}`, icon: menu.icon, label: `${labels.many} with “${text}”`, to: path }];
  });
}

/** An entry for each kind of record that the user may add. */
function useCreateEntries(definitions: Definitions): readonly PaletteEntry[] {
  const add = useAddAnywhere();
  return useMemo(
    () =>
      menuDefinitions(definitions)
        .filter((definition) => mayAdd(definitions.actor, definition))
        .map((definition) => ({
          ...{ id: `create ${definition.name}`, icon: 'plus', label: definition.titles.add },
          ...(definition.menu.key && { keys: `C ${definition.menu.key.toUpperCase()}` }),
          words: `new create add ${definition.labels.one}`,
          run: () => add(definition),
        })),
    [add, definitions],
  );
}

/** The records that the user opened last, with their present titles; those that they may no longer see are left out. */
function useRecentRecords(definitions: Definitions, enabled: boolean, onActions: OnActions) {
  const { registry, actor } = definitions;
  const dataProvider = useDataProvider();
  const [recent] = useState(() =>
    recentRecords(actor.id)
      .filter(({ resource }) => registry.get(resource))
      .slice(0, mostRecent),
  );
  const resources = useMemo(() => [...new Set(recent.map(({ resource }) => resource))], [recent]);
  const { loading, records } = useQueries({
    queries: resources.map((resource) => ({
      queryKey: ['palette', 'recent', resource],
      queryFn: async () => {
        const ids = recent.flatMap((candidate) => (candidate.resource === resource ? [candidate.id] : []));
        return (await dataProvider.getMany<RaRecord>(resource, { ids })).data;
      },
      enabled,
      meta: { quiet: true },
    })),
    combine: useCallback(
      (results: { data?: RaRecord[]; isFetching: boolean }[]) => ({
        loading: results.some(({ isFetching }) => isFetching),
        records: results.flatMap(({ data = [] }, index) =>
          data.map((record) => ({ resource: itemAt(resources, index), record })),
        ),
      }),
      [resources],
    ),
  });
  const entries = useMemo(
    () =>
      recent.flatMap(({ resource, id, at: openedAt }: RecentRecord) => {
        const definition = registry.get(resource);
        const record = records.find(
          (candidate) => candidate.resource === resource && Number(candidate.record.id) === id,
        )?.record;
        if (!definition || !record) return [];
        const key = Object.values(definition.fields).find(isSequence);
        const label = recordTitleOf(definition, record);
        const recordKey = key && typeof record[key.name] === 'string' ? (record[key.name] as string) : undefined;
        return [
          {
            id: `recent ${resource} ${id}`,
            icon: definition.menu?.icon ?? 'history',
            label,
            recordKey,
            note: relativeTime(new Date(openedAt).toISOString()),
            to: recordPath(definition, { id }),
            isFound: true,
            onActions: (typedAhead: readonly string[]) =>
              onActions({ definition, id, title: recordKey ?? label, typedAhead }),
          },
        ];
      }),
    [onActions, recent, records, registry],
  );
  return { recent: entries, loading: enabled && loading };
}
