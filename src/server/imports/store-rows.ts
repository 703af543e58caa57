import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { fieldTypeOf } from '../../engine/field-types';
import { rowColumnLabel, rowColumnPath } from '../../engine/field-types/row-definition';
import { isRows } from '../../engine/field-types/rows';
import { cellText } from '../../engine/history/field-changes';
import { columnChanges } from '../../engine/history/row-changes';
import type { FieldErrors } from '../../engine/validation/validate-values';
import { readableFields } from '../access/access-filter';
import type { QueryScope, TransactionScope } from '../access/record-scope';
import { BatchState } from '../records/write/record-write';
import { createMany, validateMany } from '../records/write/create';
import { runAndUndo } from '../records/write/savepoints';
import { type HistoryTitles, loadHistoryTitles } from '../records/history/history';
import { isInRuleGroup } from '../records/write/rule-locks';
import { type PlannedChange, planUpdates, updateMany } from '../records/write/update';
import type { RowPurpose } from './match-rows';

/** The outcome of a row, stored or planned. */
export type RowKind = 'new' | 'changed' | 'unchanged' | 'refused';

/** The outcome of a row; errors only of a refused one. */
export interface RowResult {
  readonly kind: RowKind;
  readonly errors: FieldErrors;
}

/** A checked row: also what its change replaces. */
export interface CheckedRow extends RowResult {
  readonly plan?: PlannedChange;
}

/** One difference between a row and its record, or of a column of the record's rows, as text; `old` is null where there was nothing, or nothing to be seen. */
export interface CellChange {
  readonly field: string;
  readonly label: string;
  readonly old: string | null;
  readonly new: string | null;
}

/** Stores rows: new records and changes, with errors for those that are refused. */
export async function storeRows(
  scope: TransactionScope,
  purposes: readonly RowPurpose[],
  state: BatchState,
): Promise<RowResult[]> {
  const changes = purposes.filter((purpose) => purpose.kind === 'change');
  const newRows = purposes.filter((purpose) => purpose.kind === 'new');
  const updateOutcomes = await updateMany(scope, changes, state);
  const inputs = newRows.map(({ input }) => input);
  const created = await createMany(scope, inputs, state);
  return inOrder(purposes, {
    change: updateOutcomes.map((outcome): RowResult =>
      'id' in outcome ? { kind: outcome.isChanged ? 'changed' : 'unchanged', errors: {} } : refuse(outcome.errors),
    ),
    new: created.map((outcome): RowResult => ('id' in outcome ? { kind: 'new', errors: {} } : refuse(outcome.errors))),
  });
}

/** The results that `storeRows` would have. The caller has to roll back the transaction. */
export async function checkRows(
  scope: TransactionScope,
  purposes: readonly RowPurpose[],
  state: BatchState,
): Promise<CheckedRow[]> {
  const { context, definition } = scope;
  if (isInRuleGroup(context, definition)) return checkRowsInTurn(scope, purposes);
  const changes = purposes.filter((purpose) => purpose.kind === 'change');
  const newRows = purposes.filter((purpose) => purpose.kind === 'new');
  const updatePlans = changes.length > 0 ? await planUpdates(scope, changes, state) : [];
  const inputs = newRows.map(({ input }) => input);
  const errors = await validateMany(scope, inputs, state);
  return inOrder<CheckedRow>(purposes, {
    change: updatePlans.map((plan) =>
      'ready' in plan ? { kind: plan.ready ? 'changed' : 'unchanged', errors: {}, plan } : refuse(plan.errors),
    ),
    new: errors.map((rowErrors) =>
      Object.keys(rowErrors).length > 0 ? refuse(rowErrors) : { kind: 'new', errors: {} },
    ),
  });
}

/** As `checkRows` where rows count for the rules of those after them: they are stored, since only that shows which are refused. */
async function checkRowsInTurn(scope: TransactionScope, purposes: readonly RowPurpose[]): Promise<CheckedRow[]> {
  const { trx } = scope;
  const change: CheckedRow[] = [];
  for (const purpose of purposes) {
    if (purpose.kind !== 'change') continue;
    const [plan] = await runAndUndo(trx, () => planUpdates(scope, [purpose], new BatchState()));
    const [result] = await storeRows(scope, [purpose], new BatchState());
    change.push({ ...result!, ...(plan && 'ready' in plan && { plan }) });
  }
  const newRows = purposes.filter((purpose) => purpose.kind === 'new');
  return inOrder(purposes, { change, new: await storeRows(scope, newRows, new BatchState()) });
}

const refuse = (errors: FieldErrors): RowResult => ({ kind: 'refused', errors });

function inOrder<T extends RowResult>(
  purposes: readonly RowPurpose[],
  results: { readonly change: readonly T[]; readonly new: readonly T[] },
): (T | RowResult)[] {
  const next = { change: 0, new: 0 };
  return purposes.map((purpose) =>
    purpose.kind === 'refused' ? refuse(purpose.errors) : results[purpose.kind][next[purpose.kind]++]!,
  );
}

/** The differences of planned changes, with titles for ids, also of records that only this transaction has; one statement per target. */
export async function describeChanges(scope: QueryScope, plans: readonly PlannedChange[]): Promise<CellChange[][]> {
  const { context, definition, queries } = scope;
  const readable = readableFields(context.actor, definition, 'view').always;
  const pairs = plans.map(({ ready: preparedChange }) => {
    const names = [...(preparedChange?.changed ?? [])].filter((name) => !definition.fields[name]!.system);
    const pick = (values: ResourceRecord | undefined) =>
      Object.fromEntries(names.map((name) => [name, values?.[name]]));
    return { names, old_values: pick(preparedChange?.before), new_values: pick(preparedChange?.values) };
  });
  const titles = await loadHistoryTitles(scope, pairs, queries);
  return pairs.map(({ names, old_values: oldValues, new_values: newValues }, index) =>
    names.flatMap((name): CellChange[] => {
      const field = definition.fields[name]!;
      const isReadable = readable.has(name);
      if (isRows(field))
        return columnChanges(field, { old: oldValues[name], new: newValues[name] }, cellText(titles[index]![name])).map(
          ({ column, ...sides }) => ({
            field: rowColumnPath({ field, column }),
            label: rowColumnLabel({ field, column }),
            old: isReadable ? shortened(sides.old) : null,
            new: shortened(sides.new),
          }),
        );
      const text = (values: ResourceRecord) => textOf(definition, name, values[name], titles[index]!);
      return [{ field: name, label: field.label, old: isReadable ? text(oldValues) : null, new: text(newValues) }];
    }),
  );
}

const maxShownLength = 300;

function shortened(text: string | null): string | null {
  return text === null || text === '' ? null : text.slice(0, maxShownLength);
}

function textOf(definition: Definition, name: string, value: unknown, titles: HistoryTitles): string | null {
  const field = definition.fields[name]!;
  if (value === null || value === undefined) return null;
  const text =
    field.to === undefined
      ? fieldTypeOf(field).toText(value, field)
      : [value]
          .flat()
          .map((id) => titles[name]?.[String(id)] ?? `#${String(id)}`)
          .join(', ');
  return shortened(text);
}
