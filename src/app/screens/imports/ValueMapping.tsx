import Button from '@mui/material/Button';
import { useId, useMemo, useState } from 'react';
import { formatNumber } from '../../../engine/formats/numbers';
import type { Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import { recordFieldsIn } from '../../../engine/conditions/variables-in';
import { importedFieldAt } from '../../../engine/imports/headings';
import { requireValue } from '../../../engine/values/lookups';
import type { MeaningTarget } from '../../../engine/imports/value-meanings';
import { useDefinitions } from '../../data/DefinitionsContext';
import { ChoiceInput } from '../../fields/choices/ChoiceInput';
import type { Choice, ChoiceSource } from '../../fields/choices/choice';
import { loadChoices, optionSource } from '../../fields/choices/loadChoices';
import { Icon } from '../../icons/Icon';
import type { ColumnValues, DistinctValue, ImportForm } from './api';
import * as styles from './imports.module.css';

export interface ValueMappingProps {
  definition: Definition;
  values: readonly ColumnValues[];
  /** The value that was chosen beside the file, by field; choices may depend on it. */
  contextValues: ResourceRecord;
  isBusy: boolean;
  /** The effect of unrecognised values on their rows. */
  unknown: ImportForm['unknown'];
  onUnknown: (unknown: ImportForm['unknown']) => void;
  onMapValue: (heading: string, text: string, to: MeaningTarget | undefined) => void;
}

/** Values of a column that are shown before "Show more". */
const initialCount = 6;

/** Maps the values of columns to records and options, once for all rows; unknown values come first. */
export function ValueMapping({ values, unknown: rule, onUnknown, ...props }: ValueMappingProps) {
  const [isOpen, setOpen] = useState(false);
  const open = values.flatMap(({ values: columnValues, ...column }) => {
    const visibleValues = isOpen
      ? columnValues
      : columnValues.filter(
          ({ by: origin }) => origin === null || origin === 'hand' || origin === 'memory' || origin === 'new',
        );
    return visibleValues.length > 0 ? [{ ...column, values: visibleValues }] : [];
  });
  const unknown = values.reduce(
    (sum, { values: columnValues }) => sum + columnValues.filter(({ by: origin }) => origin === null).length,
    0,
  );
  const hasMore = values.some(({ values: columnValues }) =>
    columnValues.some(({ by: origin }) => origin === 'exact' || origin === 'word'),
  );
  if (values.length === 0) return null;
  return (
    <section className={styles.importsValues} aria-label="Values">
      <header>
        <b>Values</b>
        <small className="num">{unknownValuesText(unknown)}</small>
        {(unknown > 0 || rule === 'empty') && (
          <label>
            <input
              type="checkbox"
              checked={rule === 'empty'}
              disabled={props.isBusy}
              onChange={({ target }) => onUnknown(target.checked ? 'empty' : 'refuse')}
            />{' '}
            Leave unknown values empty
          </label>
        )}
        <span className={styles.importsGap} />
        {hasMore && (
          <Button size="small" aria-expanded={isOpen} onClick={() => setOpen((valueBefore) => !valueBefore)}>
            {isOpen ? 'Show fewer values' : 'Show all values'}
          </Button>
        )}
      </header>
      {open.map((column) => (
        <ColumnMapping key={column.column} column={column} {...props} />
      ))}
    </section>
  );
}

function unknownValuesText(unknown: number): string {
  if (unknown === 0) return 'All values are recognised.';
  return unknown === 1
    ? '1 value is not recognised. Choose what it means, once for all rows.'
    : `${formatNumber(unknown)} values are not recognised. Choose what they mean, once for all rows.`;
}

interface ColumnMappingProps extends Omit<ValueMappingProps, 'values' | 'unknown' | 'onUnknown'> {
  column: ColumnValues;
}

function ColumnMapping({ column: { column, field: name, values }, definition, ...props }: ColumnMappingProps) {
  const [visibleCount, setVisibleCount] = useState(initialCount);
  const field = requireValue(importedFieldAt(definition, name), `imported field ${name}`);
  return (
    <fieldset>
      <legend>
        {column} {column === field.label ? '' : `→ ${field.label}`}
      </legend>
      {values.slice(0, visibleCount).map((value) => (
        <ValueRow
          key={value.text}
          value={value}
          field={field}
          path={name}
          heading={column}
          definition={definition}
          {...props}
        />
      ))}
      {values.length > visibleCount && (
        <Button size="small" onClick={() => setVisibleCount(values.length)}>
          Show {formatNumber(values.length - visibleCount)} more
        </Button>
      )}
    </fieldset>
  );
}

interface ValueRowProps extends Omit<ColumnMappingProps, 'column'> {
  heading: string;
  field: Field;
  /** Where the field is: `lines.genre_id` for a column of rows. */
  path: string;
  value: DistinctValue;
}

function ValueRow({ heading, field, path, value, definition, contextValues, isBusy, onMapValue }: ValueRowProps) {
  const { registry } = useDefinitions();
  const { text, count, by: origin, means: meaning, id: meaningId, form } = value;
  const id = useId();
  const parents = JSON.stringify({ ...contextValues, ...form });
  const source = useMemo((): ChoiceSource => {
    if (!field.to) return optionSource(field.options ?? yesOrNo);
    const query = {
      resource: definition.name,
      field: path,
      parents: parentValuesOf(field, JSON.parse(parents) as ResourceRecord),
    };
    return {
      key: [definition.name, path, parents],
      load: (text: string, signal?: AbortSignal) => loadChoices({ ...query, text }, signal),
      find: (ids: readonly Choice['id'][], signal?: AbortSignal) => loadChoices({ ...query, ids }, signal),
      target: registry.get(field.to),
      ...(meaningId !== null && { knownChoices: [{ id: meaningId, title: meaning ?? String(meaningId) }] }),
    };
  }, [definition.name, field, path, parents, registry, meaningId, meaning]);
  const isEmptied = origin !== null && origin !== 'exact' && origin !== 'new' && meaningId === null;
  return (
    <div className={styles.importsValue} data-unknown={origin === null || undefined}>
      <label htmlFor={id} id={`${id}-label`}>
        <span>“{text}”</span>
        <small className="num">
          {formatNumber(count)} {count === 1 ? 'row' : 'rows'}
        </small>
      </label>
      <Icon name="arrow-right" size={12} />
      <ChoiceInput
        id={id}
        field={field}
        source={source}
        size="small"
        value={meaningId}
        readOnly={isBusy}
        placeholder={origin === 'new' ? 'Will be added' : isEmptied ? 'Left empty' : undefined}
        onChange={(choice) => onMapValue(heading, text, meaningOf(field, choice))}
      />
      {origin === 'hand' ? (
        <Button size="small" disabled={isBusy} onClick={() => onMapValue(heading, text, undefined)}>
          Undo
        </Button>
      ) : (
        <Button size="small" disabled={isBusy || isEmptied} onClick={() => onMapValue(heading, text, null)}>
          Leave empty
        </Button>
      )}
    </div>
  );
}

const yesOrNo = [
  { value: 'Yes', label: 'Yes' },
  { value: 'No', label: 'No' },
];

/** A record by its id, an option by its label; undefined, to undo the mapping, where nothing is chosen. */
function meaningOf({ to: target, options }: Field, choice: unknown): MeaningTarget | undefined {
  if (choice === undefined || choice === null) return undefined;
  if (target) return Number(choice);
  return options?.find(({ value }) => value === choice)?.label ?? String(choice);
}

/** The values of a record that the field's choices depend on. */
function parentValuesOf({ choices }: Field, values: ResourceRecord): ResourceRecord {
  const names = choices ? recordFieldsIn(choices) : [];
  return Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));
}
