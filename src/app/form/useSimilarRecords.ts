import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Definition, Field } from '../../engine/definitions/definition';
import { minComparedLength } from '../../engine/forms/similar-records';
import { fetchApi } from '../session/api';
import { useApi } from '../session/apiClient';

export interface SimilarRecordsProps {
  definition: Definition;
  field: Field;
  /** The typed text. */
  text: string;
  /** The chosen targets that similar records share, and the record itself. */
  scopeIds: Readonly<Record<string, string>>;
}

/** A record whose text is similar, as far as the user may list it. */
export interface SimilarRecord {
  readonly id: number;
  readonly title: string;
  readonly key: string | null;
  /** In per cent. */
  readonly similarity: number;
}

/** How long somebody pauses before records are looked for, in milliseconds. */
const debounceDelay = 400;
const noRecords: readonly SimilarRecord[] = [];

/**
 * The records with a text similar to the typed one, the most similar first; none while it is typed.
 *
 * @example const [task] = useSimilarRecords({ definition, field: definition.fields.name, text, scopeIds: { project_id: '3' } });
 */
export function useSimilarRecords(props: SimilarRecordsProps): readonly SimilarRecord[] {
  const { definition, field, text, scopeIds } = props;
  const client = useApi();
  const typedText = text.trim();
  const [debouncedText, setDebouncedText] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setDebouncedText(typedText), debounceDelay);
    return () => clearTimeout(timer);
  }, [typedText]);
  const { data } = useQuery({
    queryKey: [definition.name, 'similar', field.name, debouncedText, scopeIds],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ text: debouncedText, ...scopeIds });
      const path = `/${definition.name}/similar/${field.name}?${query}`;
      return (await fetchApi<{ data: SimilarRecord[] }>(path, { signal }, client)).data;
    },
    enabled: debouncedText.length >= minComparedLength && debouncedText === typedText,
    staleTime: 30_000,
    retry: false,
    meta: { quiet: true },
  });
  return typedText.length >= minComparedLength && data?.length ? data : noRecords;
}
