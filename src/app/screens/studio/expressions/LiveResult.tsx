import { useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import type { RaRecord } from 'react-admin';
import type { Definition, Field, ResourceRecord } from '../../../../engine/definitions/definition';
import { normalise } from '../../../../engine/definitions/normalise';
import { computedKind } from '../../../../engine/expressions/computed-kind';
import { expressionOf, usesCalendar } from '../../../../engine/expressions/grammar';
import { computeValues } from '../../../../engine/expressions/evaluate';
import { isSameJson } from '../../../../engine/studio/json';
import type { EvaluationContext } from '../../../../engine/conditions/variables';
import { recordTitleOf } from '../../../../engine/lists/titles';
import { dataProvider } from '../../../admin/dataProvider';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import { useEvaluationContext } from '../../../admin/useEvaluationContext';
import { ChoiceInput } from '../../../choices/ChoiceInput';
import { moduleRecordSource } from '../conditions/moduleRecordSource';
import { useDraftPart } from '../draft';
import { convertRecord, previousField } from './convertRecord';
import * as propertiesStyles from '../properties/properties.module.css';
import * as styles from './expressions.module.css';

/** What a computed field of the draft is for a stored record, which can be chosen. */
export function LiveResult({ name }: { name: string }) {
  const { registry } = useDefinitions();
  const { module, source } = useDraftPart((draft) => ({ module: draft.module.name, source: draft.source }));
  const published = registry.get(module);
  if (!published)
    return (
      <p className={propertiesStyles.studioHint}>Results for stored records appear once the module is published.</p>
    );
  return <Result name={name} published={published} draft={source} />;
}

interface ResultProps {
  name: string;
  published: Definition;
  draft: Parameters<typeof normalise>[0];
}

function Result({ name, published, draft }: ResultProps) {
  const around = useEvaluationContext();
  const [chosen, setChosen] = useState<unknown>();
  const definition = useMemo(() => readable(draft, name), [draft, name]);
  const resource = published.name;
  const { data: record, error } = useQuery({
    queryKey: [resource, 'studio-result', chosen ?? 'first'],
    queryFn: async ({ signal }) => {
      if (typeof chosen === 'number')
        return (await dataProvider.getOne<RaRecord>(resource, { id: chosen })).data as ResourceRecord;
      const sort = { ...published.list.sort };
      const pagination = { page: 1, perPage: 1 };
      const found = await dataProvider.getList<RaRecord>(resource, { pagination, sort, filter: {}, signal });
      return (found.data[0] as ResourceRecord | undefined) ?? null;
    },
    retry: false,
    meta: { quiet: true },
  });
  const field = definition?.fields[name];
  const result = useMemo(() => {
    if (!record || !definition || !field) return undefined;
    try {
      return wordsOf(field, calculate(record, published, definition, around)[name]);
    } catch {
      return undefined;
    }
  }, [record, field, published, definition, around, name]);
  return (
    <div className={styles.expressionResult}>
      <RecordChoice published={published} value={chosen ?? record?.id} onChange={setChosen} />
      <p role="status">
        {error ? (
          `The record could not be loaded: ${error.message}`
        ) : record === null ? (
          'There is no record yet to calculate with.'
        ) : field && isOfCalendar(field) ? (
          'The server calculates this with calendars: publish it to see it.'
        ) : record && result !== undefined ? (
          <>
            For {recordTitleOf(published, record) || `#${String(record.id)}`}: <b>{result}</b>
          </>
        ) : (
          record && 'No result: see the mistakes above.'
        )}
      </p>
    </div>
  );
}

interface RecordChoiceProps {
  published: Definition;
  value: unknown;
  onChange: (value: unknown) => void;
}

function RecordChoice({ published, value, onChange }: RecordChoiceProps) {
  const id = useId();
  const source = useMemo(() => moduleRecordSource(published), [published]);
  const label = `${published.labels.one} to calculate with`;
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

const isOfCalendar = ({ computed }: Field) => typeof computed === 'object' && usesCalendar(expressionOf(computed));

/** The definition of a draft; undefined where it, or the expression of the field, does not follow the language. */
function readable(draft: ResultProps['draft'], name: string): Definition | undefined {
  try {
    const definition = normalise(draft);
    const computed = definition.fields[name]?.computed;
    if (typeof computed === 'object') expressionOf(computed);
    return definition;
  } catch {
    return undefined;
  }
}

/** A stored record with what the draft computes; lookups and rollups have the values that the server gave them. */
function calculate(
  record: ResourceRecord,
  published: Definition,
  draft: Definition,
  around: EvaluationContext,
): ResourceRecord {
  const derived = Object.values(draft.fields).flatMap((field) => {
    const kind = computedKind(field);
    const former = kind === 'lookup' || kind === 'rollup' ? previousField(field, published) : undefined;
    return former && isSameJson(former.computed, field.computed) ? [[field.name, record[former.name]]] : [];
  });
  return computeValues(
    draft,
    { ...convertRecord(record, published, draft, around), ...Object.fromEntries(derived) },
    around,
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
