import { hashKey, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { hasMeaningfulOrder } from '../../../engine/lists/relevance';
import { sortByMatch } from '../../../engine/lists/search-rank';
import type { Choice, ChoiceSource } from './choice';

const debounceDelay = 200;

/**
 * Loads a source's choices for the typed text, debounced. Until the response arrives it returns the previous choices
 * that contain the text, so that a quick Enter never selects something that does not match.
 *
 * @example const { choices, loading, error } = useChoices(source, text, isOpen);
 */
export function useChoices(source: ChoiceSource, text: string, enabled: boolean) {
  const trimmedText = text.trim();
  const debounced = useDebounced(trimmedText, debounceDelay);
  const keyPrefix = ['choices', ...source.key];
  const { data, isFetching, isPlaceholderData, error } = useQuery({
    queryKey: [...keyPrefix, debounced],
    queryFn: ({ signal }) => source.load(debounced, signal),
    enabled: enabled && source.blocked === undefined && !source.loading,
    placeholderData: (previousData, query) =>
      hashKey(query?.queryKey.slice(0, -1) ?? []) === hashKey(keyPrefix) ? previousData : undefined,
    staleTime: 30_000,
    meta: { quiet: true },
  });
  const isAnswer = !isPlaceholderData && debounced === trimmedText;
  const isOrdered = source.target !== undefined && hasMeaningfulOrder(source.target);
  const choices = useMemo(() => {
    if (isAnswer) return data;
    const matches = data?.filter(({ title }) => titleContains(title, trimmedText));
    return isOrdered || !source.target || trimmedText === '' ? matches : matches && sortByMatch(matches, trimmedText);
  }, [data, isAnswer, trimmedText, isOrdered, source.target]);
  return {
    choices: choices ?? noChoices,
    loading: source.loading === true || isFetching || debounced !== trimmedText,
    error,
  };
}

const titleContains = (title: string, text: string) => title.toLowerCase().includes(text.toLowerCase());
const noChoices: readonly Choice[] = [];

/**
 * Debounces a value; an empty value is applied at once.
 *
 * @example const q = useDebounced(text.trim(), 200);
 */
export function useDebounced(value: string, milliseconds: number): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), value === '' ? 0 : milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return debounced;
}
