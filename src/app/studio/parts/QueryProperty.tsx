import { labelOf } from '../../../engine/definitions/labels';
import type { Source } from '../../../engine/language/source';
import type { Registry } from '../../../engine/registry/registry';
import { writtenTypeOf } from '../../../engine/field-types';
import { useDefinitions } from '../../data/DefinitionsContext';
import type { Subject } from '../conditions/subjects';
import { useDraftPart } from '../draft';
import { useDraftValue } from '../properties/useDraftValue';
import { fieldsOf } from './automations/paths';
import { ValuesEditor } from './automations/ValuesEditor';

interface QueryPropertyProps {
  pointer: string;
  label: string;
  /** The resource whose list it narrows. */
  resource: string | undefined;
  emptyText: string;
  /** Whether `$record.id` can stand for a value, and what it is called. */
  record?: string;
  /** Whether it stays where it is empty. */
  keepEmpty?: boolean;
}

const notAsked: ReadonlySet<string> = new Set(['rows', 'object', 'referrers']);

/** The query names of a list: its fields and its parameters. */
function queryNames(resource: string | undefined, source: Source, registry: Registry): Subject[] {
  const queryFields = fieldsOf(resource, source, registry).filter(
    ({ field }) => !notAsked.has(writtenTypeOf(field).holds),
  );
  if (resource !== source.name) return queryFields;
  const parameters = Object.entries(source.parameters ?? {}).map(([name, { label }]) => ({
    name,
    label: label ?? labelOf(name),
    field: {},
  }));
  return [...queryFields, ...parameters];
}

/** Whether several values make sense: records and options are chosen. */
const isChosen = ({ field }: Subject) =>
  ['record', 'records'].includes(writtenTypeOf(field).holds) || field.options !== undefined;

/** Query names of a list and their values: which of its records are meant. */
export function QueryProperty({ pointer, label, resource, emptyText, record, keepEmpty = false }: QueryPropertyProps) {
  const { registry } = useDefinitions();
  const { value, set, error, hint } = useDraftValue(pointer);
  const fields = useDraftPart(({ source }) => queryNames(resource, source, registry));
  return (
    <ValuesEditor
      {...{ label, emptyText, fields, error, hint }}
      add={`Add to: ${label}`}
      values={(value ?? {}) as Readonly<Record<string, unknown>>}
      nullText="must be empty"
      isMany={isChosen}
      variablesOf={() => (record === undefined ? [] : [{ value: '$record.id', words: record }])}
      onChange={(next) => set(Object.keys(next).length === 0 && !keepEmpty ? undefined : next)}
    />
  );
}
