import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import type { Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import { normalise } from '../../../engine/normalise/normalise';
import { recordTitleOf } from '../../../engine/lists/titles';
import { withoutWords } from '../../../engine/studio/without-words';
import { useDefinitions } from '../../data/DefinitionsContext';
import { ChoiceInput } from '../../fields/choices/ChoiceInput';
import { readDraft } from '../api';
import { moduleRecordSource } from '../conditions/moduleRecordSource';
import { useDraftPart } from '../draft';
import * as propertiesStyles from '../properties/properties.module.css';
import * as styles from './expressions.module.css';

/** The value of a computed field of the draft for a stored record, which can be chosen. */
export function LiveResult({ name }: { name: string }) {
  const { registry } = useDefinitions();
  const publishedDefinition = registry.get(useDraftPart((draft) => draft.module.name));
  if (!publishedDefinition)
    return (
      <p className={propertiesStyles.studioHint}>Results for stored records appear once the module is published.</p>
    );
  return <Result name={name} publishedDefinition={publishedDefinition} />;
}

/** The result of the last valid draft, as the server works it out. */
function Result({ name, publishedDefinition }: { name: string; publishedDefinition: Definition }) {
  const { source, isWrong } = useDraftPart(({ valid, plan, unreadable }) => ({
    source: valid.source,
    isWrong: unreadable !== null || plan?.valid === false,
  }));
  const [recordId, setRecordId] = useState<unknown>();
  const content = useMemo(() => JSON.stringify(withoutWords(source)), [source]);
  const definition = useMemo(() => normalise(structuredClone(source)), [source]);
  const resource = publishedDefinition.name;
  const {
    data: record,
    error,
    isPlaceholderData,
  } = useQuery({
    queryKey: [resource, 'studio-result', recordId ?? 'first', content],
    queryFn: async ({ signal }) => {
      if (typeof recordId === 'number') return readDraft<ResourceRecord>(source, `${resource}/${recordId}`, signal);
      const [first = null] = await readDraft<ResourceRecord[]>(source, `${resource}?range=[0,0]`, signal);
      return first;
    },
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  });
  const field = definition.fields[name];
  return (
    <div className={styles.expressionResult}>
      <RecordChoice publishedDefinition={publishedDefinition} value={recordId ?? record?.id} onChange={setRecordId} />
      <p role="status">
        {isWrong
          ? 'No result: see the mistakes above.'
          : error
            ? `The record could not be loaded: ${error.message}`
            : record === null
              ? 'There is no record yet to calculate with.'
              : record &&
                field &&
                // The value that the former expression had is none of this one.
                !isPlaceholderData && (
                  <>
                    For {recordTitleOf(definition, record) || `#${String(record.id)}`}:{' '}
                    <b>{wordsOf(field, record[name])}</b>
                  </>
                )}
      </p>
    </div>
  );
}

interface RecordChoiceProps {
  publishedDefinition: Definition;
  value: unknown;
  onChange: (value: unknown) => void;
}

function RecordChoice({ publishedDefinition, value, onChange }: RecordChoiceProps) {
  const id = useId();
  const source = useMemo(() => moduleRecordSource(publishedDefinition), [publishedDefinition]);
  const label = `${publishedDefinition.labels.one} to calculate with`;
  const field = { name: 'value', label, type: 'relation', placeholder: 'Choose…' } as Field;
  return (
    <>
      <label htmlFor={id} className="unseen">
        {label}
      </label>
      <ChoiceInput id={id} size="small" {...{ source, field, value }} onChange={onChange} />
    </>
  );
}

/** A computed value in words. */
function wordsOf({ separators, digits }: Field, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'no value';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'number') return String(value);
  return value.toLocaleString('en', {
    useGrouping: separators !== false,
    minimumFractionDigits: digits ?? 0,
    maximumFractionDigits: digits ?? 10,
  });
}
