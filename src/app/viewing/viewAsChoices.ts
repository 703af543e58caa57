import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { fetchApi } from '../session/api';

/** A person or role to view as. */
export interface ViewAsChoice {
  /** The value of the header. */
  readonly as: string;
  readonly name: string;
  readonly role: string;
  readonly level: number;
  readonly company: string | null;
}

/** The kind of choices. */
export type ViewAsKind = 'person' | 'role';

async function fetchViewAsChoices(
  kind: ViewAsKind,
  text: string,
  signal: AbortSignal,
): Promise<readonly ViewAsChoice[]> {
  const query = text === '' ? '' : `?${new URLSearchParams({ q: text })}`;
  return (await fetchApi<{ data: ViewAsChoice[] }>(`/view-as/choices/${kind}${query}`, { signal })).data;
}

/**
 * The people or roles with a text in their name, role or company; undefined before the first response. Until the
 * response arrives, the previous ones that match the text, so that a quick Enter never selects somebody who does not
 * match.
 */
export function useViewAsChoices(kind: ViewAsKind, typedText: string) {
  const searchText = typedText.trim();
  const text = useDeferredValue(searchText);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['view-as', kind, text],
    queryFn: ({ signal }) => fetchViewAsChoices(kind, text, signal),
    placeholderData: (last, query) => (query?.queryKey[1] === kind ? keepPreviousData(last) : undefined),
    meta: { quiet: true },
  });
  const isAnswer = data !== undefined && !isPlaceholderData && text === searchText;
  return {
    choices: isAnswer ? data : data?.filter((choice) => matchesText(choice, kind, searchText)),
    isAnswer,
    error,
  };
}

function matchesText({ name, role, company }: ViewAsChoice, kind: ViewAsKind, text: string): boolean {
  const texts = kind === 'person' ? [name, role, company] : [name, company];
  return texts.filter(Boolean).join(' ').toLowerCase().includes(text.toLowerCase());
}
