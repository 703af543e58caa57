import { hashKey, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { hasMeaningfulOrder } from '../../engine/lists/relevance';
import { sortByMatch } from '../../engine/lists/search-rank';
import type { Choice, ChoiceSource } from './choice';

const debounceDelay = 200;

/**
 * Loads a source's choices for the typed text, debounced. Until the response arrives it returns the previous choices
 * that contain the text, so that a quick Enter never selects something that does not match.
 *
 * @example const { choices, loading, error } = useChoices(source, text, isOpen);
 */
export function useChoices(source: ChoiceSource, text: string, enabled: boolean) {
  const typed = text.trim();
  const debounced = useDebounced(typed, debounceDelay);
  const keyPrefix = ['choices', ...source.key];
  const { data, isFetching, isPlaceholderData, error } = useQuery({
    queryKey: [...keyPrefix, debounced],
    queryFn: ({ signal }) => source.load(debounced, signal),
    enabled: enabled && source.blocked === undefined && !source.loading,
    placeholderData: (before, query) =>
      hashKey(query?.queryKey.slice(0, -1) ?? []) === hashKey(keyPrefix) ? before : undefined,
    staleTime: 30_000,
    meta: { quiet: true },
  });
  const isAnswer = !isPlaceholderData && debounced === typed;
  const isOrdered = source.target !== undefined && hasMeaningfulOrder(source.target);
  const choices = useMemo(() => {
    if (isAnswer) return data;
    const matching = data?.filter(({ title }) => titleContains(title, typed));
    return isOrdered || !source.target || typed === '' ? matching : matching && sortByMatch(matching, typed);
  }, [data, isAnswer, typed, isOrdered, source.target]);
  return { choices: choices ?? none, loading: source.loading === true || isFetching || debounced !== typed, error };
}

const titleContains = (title: string, text: string) => title.toLowerCase().includes(text.toLowerCase());
const none: readonly Choice[] = [];

/** Debounces a value; an empty value is applied at once. */
function useDebounced(value: string, milliseconds: number): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), value === '' ? 0 : milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return debounced;
}
