import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Definition, Field } from '../../engine/definitions/definition';
import { minComparedLength } from '../../engine/forms/similar-records';
import { recordPathFor } from '../../engine/lists/row-actions';
import { useDefinitions } from '../data/DefinitionsContext';
import { useEvaluationContext } from '../data/useEvaluationContext';
import { Icon } from '../icons/Icon';
import { fetchApi } from '../session/api';
import { useApi } from '../session/apiClient';
import * as styles from './similar.module.css';

export interface SimilarRecordsProps {
  definition: Definition;
  field: Field;
  /** The typed text. */
  text: string;
  /** The chosen targets that similar records share, and the record itself. */
  scopeIds: Readonly<Record<string, string>>;
}

interface SimilarRecord {
  id: number;
  title: string;
  key: string | null;
}

/** How long somebody pauses before records are looked for, in milliseconds. */
const debounceDelay = 400;

/** Names records with a similar text below the input while it is typed; they open in a new tab. It keeps nobody from saving. */
export default function SimilarRecords({ definition, field, text, scopeIds }: SimilarRecordsProps) {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
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
  const similarRecords = typedText.length >= minComparedLength && data?.length ? data : noRecords;
  const { labels } = definition;
  const heading =
    similarRecords.length === 1 ? `A similar ${labels.one.toLowerCase()}` : `Similar ${labels.many.toLowerCase()}`;
  return (
    <div role="status" className={styles.similar}>
      {similarRecords.length > 0 && (
        <>
          <p>
            <Icon name="info" size={14} />
            {heading}. Is it the same?
          </p>
          <ul>
            {similarRecords.map((record) => {
              const title = [record.key, record.title].filter((part) => part && !isIn(part, record)).join(' ');
              const path = recordPathFor(definition, { id: record.id }, actor, evaluationContext);
              return (
                <li key={record.id}>
                  {path === null ? (
                    title
                  ) : (
                    <Link to={path} target="_blank" rel="noopener">
                      {title}
                      <span className="unseen"> (opens in a new tab)</span>
                    </Link>
                  )}
                </li>
              );
            })}
          </ul>
        </>
      )}
    </div>
  );
}

const noRecords: readonly SimilarRecord[] = [];

/** Whether the key is a part of the title already. */
function isIn(part: string, { key, title }: SimilarRecord): boolean {
  return part === key && part !== title && title.includes(part);
}
