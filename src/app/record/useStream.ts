import { useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useDataProvider, type RaRecord } from 'react-admin';
import type { Comment } from '../../engine/comments/comment';
import type { Definition, ResourceRecord, StreamSource } from '../../engine/definitions/definition';
import { templateFields } from '../../engine/definitions/labels';
import type { Registry } from '../../engine/registry/registry';
import type { HistoryEntry } from '../../engine/history/field-changes';
import { resolveValues } from '../../engine/lists/presets';
import { mergeStream, type StreamPart } from '../../engine/pages/merge-stream';
import { itemAt } from '../../engine/values/lookups';
import { useDefinitions } from '../data/DefinitionsContext';
import { useEvaluationContext } from '../data/useEvaluationContext';
import type { useComments } from '../comments/useComments';
import { fetchHistory } from '../history/fetchHistory';

/** Something that happened to a record. */
export type StreamEntry = { readonly key: string; readonly at: string } & (
  | { readonly kind: 'comment'; readonly comment: Comment }
  | { readonly kind: 'change'; readonly line: HistoryEntry }
  | { readonly kind: 'record'; readonly source: StreamSource; readonly record: RaRecord }
);

interface StreamOptions {
  definition: Definition;
  record: ResourceRecord;
  sources: readonly StreamSource[];
  comments: ReturnType<typeof useComments>;
  /** The label of the only kind that is shown; undefined: all. */
  shownLabel: string | undefined;
}

/** The entries of one source. */
interface NamedPart extends StreamPart<StreamEntry> {
  readonly name: string;
  readonly label: string;
  /** How many there are; undefined while the first page loads. */
  readonly total: number | undefined;
  readonly loadMore: () => void;
  readonly isLoading: boolean;
  readonly error: Error | null;
}

const pageSize = 30;

/** A page of one source. */
interface Page {
  readonly entries: readonly StreamEntry[];
  readonly count: number;
  readonly total: number;
}

/**
 * The events of a record, newest first: comments, changes, and records of other resources. Each source has pages of its
 * own; entries are shown as soon as nothing can come between them.
 *
 * @example const { entries, more } = useStream({ definition, record, sources, comments, shownLabel: undefined });
 */
export function useStream({ definition, record, sources, comments, shownLabel }: StreamOptions) {
  const { registry } = useDefinitions();
  const evaluationContext = useEvaluationContext();
  const dataProvider = useDataProvider();
  const { name } = definition;
  const id = String(record.id);
  const [pages, setPages] = useState<Readonly<Record<string, number>>>({});

  const loaders: { name: string; label: string; key: unknown[]; load: PageLoader }[] = [
    ...(definition.history
      ? [
          {
            name: 'changes',
            label: 'Changes',
            key: [name, 'history', id, 'stream'],
            load: async (page: number, signal: AbortSignal) => {
              const { lines, total } = await fetchHistory(name, id, page * pageSize, pageSize, signal);
              return {
                entries: lines.map((line, index) => changeEntry(line, total - page * pageSize - index)),
                count: lines.length,
                total,
              };
            },
          },
        ]
      : []),
    ...sources.map((source) => {
      const filter = resolveValues(source.filter, { ...evaluationContext, record });
      return {
        name: source.name,
        label: source.label,
        key: [source.resource, 'stream', source.name, filter],
        load: async (page: number, signal: AbortSignal) => {
          const { data, total = 0 } = await dataProvider.getList<RaRecord>(source.resource, {
            pagination: { page: page + 1, perPage: pageSize },
            sort: { field: source.time, order: 'DESC' },
            filter,
            meta: { fields: fieldsOf(source, registry) },
            signal,
          });
          return {
            entries: data.flatMap((sourceRecord) => recordEntry(source, sourceRecord)),
            count: data.length,
            total,
          };
        },
      };
    }),
  ];
  const neededPages = loaders.flatMap((loader) =>
    Array.from({ length: pages[loader.name] ?? 1 }, (_, page) => ({ loader, page })),
  );
  const results = useQueries({
    queries: neededPages.map(({ loader, page }) => ({
      queryKey: [...loader.key, page],
      queryFn: ({ signal }: { signal: AbortSignal }) => loader.load(page, signal),
      retry: false,
      meta: { quiet: true },
    })),
  });
  const loadedParts = loaders.map((loader): NamedPart => {
    const pageResults = results.filter((_, index) => itemAt(neededPages, index).loader === loader);
    const loadedPages = pageResults.map(({ data }) => data);
    const [first] = loadedPages;
    const entryCount = loadedPages.reduce((sum, page) => sum + (page?.count ?? 0), 0);
    return {
      name: loader.name,
      label: loader.label,
      entries: loadedPages.flatMap((page) => page?.entries ?? []),
      total: first?.total,
      hasMore: first === undefined || entryCount < first.total,
      isLoading: pageResults.some(({ isPending }) => isPending),
      error: pageResults.find(({ error, data }) => error && !data)?.error ?? null,
      loadMore: () => setPages((now) => ({ ...now, [loader.name]: (now[loader.name] ?? 1) + 1 })),
    };
  });
  const { query } = comments;
  const allParts: NamedPart[] = [
    ...(definition.comments
      ? [
          {
            name: 'comments',
            label: 'Comments',
            entries: (comments.comments ?? []).map(commentEntry),
            total: comments.total,
            hasMore: comments.comments === undefined || query.hasNextPage,
            isLoading: query.isPending || query.isFetchingNextPage,
            error: comments.comments ? null : query.error,
            loadMore: () => void query.fetchNextPage(),
          },
        ]
      : []),
    ...loadedParts,
  ];
  const shownParts = shownLabel === undefined ? allParts : allParts.filter(({ label }) => label === shownLabel);
  const mergedStream = useMergedStream(shownParts);
  const isWaiting = shownParts.some(({ total }) => total === undefined);
  const retry = () => {
    void query.refetch();
    for (const result of results) if (result.error) void result.refetch();
  };
  return {
    kinds: kindsOf(allParts),
    /** Undefined while the first pages load. */
    entries: isWaiting ? undefined : mergedStream.entries,
    error: shownParts.find(({ error }) => error)?.error ?? null,
    isLoading: shownParts.some(({ isLoading }) => isLoading),
    /** Undefined: there is nothing older. */
    more:
      mergedStream.next.length === 0
        ? undefined
        : () => mergedStream.next.forEach((index) => itemAt(shownParts, index).loadMore()),
    retry,
  };
}

/** Sources with the same label are one kind, such as comments and what a request stores as such. */
function kindsOf(parts: readonly NamedPart[]): { readonly label: string; readonly total: number | undefined }[] {
  return [...new Set(parts.map(({ label }) => label))].map((label) => {
    const totals = parts.filter((part) => part.label === label).map(({ total }) => total);
    const total = totals.every((count) => count !== undefined)
      ? totals.reduce((sum, count) => sum + count, 0)
      : undefined;
    return { label, total };
  });
}

type PageLoader = (page: number, signal: AbortSignal) => Promise<Page>;

function useMergedStream(parts: readonly NamedPart[]) {
  const state = JSON.stringify(
    parts.map(({ hasMore, entries }) => [hasMore, entries.map(({ key, at: time }) => [key, time])]),
  );
  // oxlint-disable-next-line react/exhaustive-deps -- equal keys are the same order; the entries are looked up below
  const { entries, next } = useMemo(() => mergeStream(parts), [state]);
  const entriesByKey = new Map(parts.flatMap((part) => part.entries).map((entry) => [entry.key, entry]));
  return { entries: entries.map((entry) => entriesByKey.get(entry.key) ?? entry), next };
}

const commentEntry = (comment: Comment): StreamEntry => ({
  kind: 'comment',
  key: `comment ${comment.id}`,
  at: comment.created_at,
  comment,
});

const changeEntry = (line: HistoryEntry, version: number): StreamEntry => ({
  kind: 'change',
  key: `change ${line.id ?? version}`,
  at: line.created_at,
  line,
});

function recordEntry(source: StreamSource, record: RaRecord): StreamEntry[] {
  const timestamp: unknown = record[source.time];
  return typeof timestamp === 'string'
    ? [{ kind: 'record', key: `${source.name} ${record.id}`, at: timestamp, source, record }]
    : [];
}

/** The fields that lines about these records need, and what is embedded for them. */
function fieldsOf({ resource, time, person, text }: StreamSource, registry: Registry): string[] {
  const { fields } = registry.getOrThrow(resource);
  const names = [time, ...(person === undefined ? [] : [person]), ...templateFields(text)];
  return [...new Set(['id', ...names.flatMap((name) => [name, fields[name]?.embed ?? name])])];
}
