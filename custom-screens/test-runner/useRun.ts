import { keepPreviousData, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { FileValue } from '../../src/engine/field-types/stored-files';
import { pictureNames } from '../../src/engine/formats/markdown';
import {
  fetchEarlierResults,
  fetchEvidence,
  entryFields,
  fetchEntries,
  fetchEntry,
  fetchEntryDetails,
  fetchLatestEntries,
  fetchPictures,
  fetchRun,
  fetchVersion,
  latestCount,
  type Entry,
  type EntryDetails,
} from './runnerApi';

const quiet = { retry: false, meta: { quiet: true } } as const;
const runKey = (id: number) => ['test-runs', 'runner', id];
/** Not named after the resource: a list of thousands is not loaded again for each result of a colleague. */
const entriesKey = (run: number, fields = entryFields) =>
  fields === entryFields ? ['runner-entries', run] : ['runner-entries', run, fields];
const entryKey = (id: number | undefined) => ['run-entries', 'runner', id];

export const useRun = (id: number) =>
  useQuery({ queryKey: runKey(id), queryFn: ({ signal }) => fetchRun(id, signal), ...quiet });

/** All tests of a run, as the runner shows them or with other fields. */
export function useEntries<Fetched extends Entry = Entry>(run: number, fields = entryFields) {
  return useQuery({
    queryKey: entriesKey(run, fields),
    queryFn: ({ signal }) => fetchEntries<Fetched>(run, fields, signal),
    staleTime: Infinity,
    ...quiet,
  });
}

/** Keeps the loaded tests of a run up to date with what others do: only what changed is loaded again. */
export function useLatestEntries(run: number, isLoaded: boolean, fields = entryFields): void {
  const queryClient = useQueryClient();
  const { data: latest } = useQuery({
    queryKey: ['run-entries', 'latest', run, fields],
    queryFn: ({ signal }) => fetchLatestEntries(run, fields, signal),
    enabled: isLoaded,
    ...quiet,
  });
  useEffect(() => {
    const knownEntries = queryClient.getQueryData<readonly Entry[]>(entriesKey(run, fields));
    if (!latest || !knownEntries) return;
    const mergedEntries = mergeEntries(knownEntries, latest);
    if (mergedEntries) queryClient.setQueryData(entriesKey(run, fields), mergedEntries);
    else void queryClient.invalidateQueries({ queryKey: entriesKey(run, fields) });
  }, [fields, latest, queryClient, run]);
}

/** The list with the entries that changed; undefined if it may lack others, and has to be loaded again. */
function mergeEntries(knownEntries: readonly Entry[], latest: readonly Entry[]): readonly Entry[] | undefined {
  const latestById = new Map(latest.map((entry) => [entry.id, entry]));
  let [knownCount, unchangedCount] = [0, 0];
  const mergedEntries = knownEntries.map((entry) => {
    const latestEntry = latestById.get(entry.id);
    if (!latestEntry) return entry;
    knownCount++;
    // An entry that this tab stored meanwhile is newer than the loaded one.
    if (isEqualEntry(entry, latestEntry) || latestEntry.updated_at < entry.updated_at) {
      unchangedCount++;
      return entry;
    }
    return latestEntry;
  });
  // New tests, or so many changes at once that some are not among the latest.
  if (knownCount < latest.length || (unchangedCount === 0 && latest.length === latestCount)) return undefined;
  return unchangedCount === knownCount ? knownEntries : mergedEntries;
}

const isEqualEntry = (first: Entry, second: Entry) => JSON.stringify(first) === JSON.stringify(second);

/** Puts a stored test in place of what was loaded of it. */
export function useStoreEntry(run: number): (entry: EntryDetails) => void {
  const queryClient = useQueryClient();
  return (entry) => {
    queryClient.setQueryData(entryKey(entry.id), entry);
    queryClient.setQueryData<readonly Entry[]>(entriesKey(run), (knownEntries) =>
      knownEntries?.map((knownEntry) =>
        knownEntry.id === entry.id
          ? { ...knownEntry, result: entry.result, name: entry.name, updated_at: entry.updated_at }
          : knownEntry,
      ),
    );
  };
}

/** Addresses of files hold for ten minutes at least. */
const pictureLifetime = 8 * 60_000;

/** The pictures that the steps of a test show: those of its test case now. Nothing is loaded where no step shows any. */
export function usePictures(entry: EntryDetails | undefined): readonly FileValue[] {
  const texts = (entry?.pinned?.steps ?? []).flatMap((step) => Object.values(step).map(String));
  const testCase = entry?.test_case?.id;
  const { data } = useQuery({
    queryKey: ['test-cases', 'pictures', testCase],
    queryFn: testCase === undefined ? skipToken : ({ signal }) => fetchPictures(testCase, signal),
    enabled: texts.some((text) => pictureNames(text).length > 0),
    staleTime: pictureLifetime,
    refetchInterval: pictureLifetime,
    ...quiet,
  });
  return data ?? noPictures;
}

const noPictures: readonly FileValue[] = [];

/** How many of the next tests have to be there. */
const minPreloadedEntries = 5;

/** A test with everything that its tester reads. The next ones are loaded before they are opened, several at a time. */
export function useEntry(id: number | undefined, upcoming: readonly number[]) {
  const queryClient = useQueryClient();
  const entry = useQuery({
    queryKey: entryKey(id),
    queryFn: id === undefined ? skipToken : ({ signal }) => fetchEntry(id, signal),
    ...quiet,
  });
  const isLoaded = entry.data !== undefined;
  const ids = upcoming.join();
  useEffect(() => {
    if (!isLoaded || ids === '') return;
    const next = ids.split(',').map(Number);
    const isMissing = (id: number) => queryClient.getQueryData(entryKey(id)) === undefined;
    if (!next.slice(0, minPreloadedEntries).some(isMissing)) return;
    void queryClient.prefetchQuery({
      queryKey: ['runner-ahead', ids],
      queryFn: async ({ signal }) => {
        const details = await fetchEntryDetails(next.filter(isMissing), signal);
        for (const entry of details) queryClient.setQueryData(entryKey(entry.id), entry);
        return details.length;
      },
      retry: false,
      meta: { quiet: true },
    });
  }, [ids, isLoaded, queryClient]);
  return entry;
}

/** How the test case of a test changed since it came into the run. */
export const useVersion = (entry: EntryDetails | undefined) =>
  useQuery({
    queryKey: ['test-cases', 'version', entry?.id, entry?.pinned_at],
    queryFn: entry?.test_case ? ({ signal }) => fetchVersion(entry.id, signal) : skipToken,
    staleTime: 60_000,
    ...quiet,
  });

/** The files that came with the results of these tests, by the id of the test. */
export function useStoredEvidence(entries: readonly number[], isAllowed: boolean) {
  return useQuery({
    queryKey: ['attempts', 'evidence', entries.join()],
    queryFn: ({ signal }) => fetchEvidence(entries, signal),
    enabled: isAllowed && entries.length > 0,
    staleTime: 30_000,
    ...quiet,
  });
}

/** The latest results of a test case in all runs. */
export const useEarlierResults = (testCase: number | undefined) =>
  useQuery({
    queryKey: ['run-entries', 'earlier', testCase],
    queryFn: testCase === undefined ? skipToken : ({ signal }) => fetchEarlierResults(testCase, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    ...quiet,
  });
