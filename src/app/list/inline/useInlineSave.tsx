import { useQueryClient } from '@tanstack/react-query';
import { useDataProvider, useNotify, type RaRecord } from 'react-admin';
import type { Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import { fieldTypeOf } from '../../../engine/field-types';
import { canLeadBack } from '../../../engine/validation/transitions';
import { recordTitle } from '../../../engine/lists/row-actions';
import { embedsOf, recordTitleOf } from '../../chips/titleOf';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { reportError } from '../../admin/ErrorToasts';
import type { Choice } from '../../choices/choice';
import { asRecord } from '../../choices/useChoiceTitles';
import { offerUndo, undoDuration } from '../../commands/undo';
import { refreshAfterSaving } from '../../form/refreshAfterSaving';
import { UndoButton } from '../../layout/UndoButton';
import { ApiError } from '../../session/apiError';
import { showInLists } from '../showInLists';

/** A new value of a field, and the choice that it is of, where it is one. */
export interface InlineValue {
  readonly value: unknown;
  readonly choice?: Choice;
}

/**
 * Returns a function that changes a field of a listed record: it is shown at once, stored, and can be taken back. What the
 * server refuses is shown as it was, with the reason.
 *
 * @example await saveInline(record, definition.fields.status_id, { value: 3, choice });
 */
export function useInlineSave(definition: Definition) {
  const { registry } = useDefinitions();
  const dataProvider = useDataProvider();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const { name } = definition;

  const textOf = (field: Field, { value, choice }: InlineValue): string => {
    if (choice) return choice.title;
    const text = value === null || value === undefined ? '' : fieldTypeOf(field).toText(value, field);
    return text === '' ? (field.empty ?? 'empty') : text;
  };
  const valueOf = (record: ResourceRecord, field: Field): InlineValue => {
    const [embed] = field.to === undefined ? [] : embedsOf(field, record);
    const title = embed && recordTitleOf(registry.get(field.to), embed);
    const state = field.transitionsBy === undefined ? undefined : (embed?.[field.transitionsBy] as string | undefined);
    return {
      value: record[field.name] ?? null,
      ...(embed &&
        title !== undefined && { choice: { id: embed.id as number, title, ...(state !== undefined && { state }) } }),
    };
  };
  const shownValues = (field: Field, { value, choice }: InlineValue): ResourceRecord => ({
    [field.name]: value,
    ...(field.to !== undefined && {
      [field.embed ?? field.name]: choice ? asRecord(registry.get(field.to), choice) : null,
    }),
  });

  /** With a version, a later change of somebody else is not overwritten. */
  const store = async (
    record: ResourceRecord,
    field: Field,
    next: InlineValue,
    version?: unknown,
  ): Promise<boolean> => {
    const before = valueOf(record, field);
    const title = recordTitle(definition, record);
    await queryClient.cancelQueries({ queryKey: [name, 'getList'] });
    showInLists(queryClient, name, record.id, shownValues(field, next));
    try {
      const data = { [field.name]: next.value ?? null, ...(version !== undefined && { updated_at: version }) };
      const id = record.id as RaRecord['id'];
      const answer = await dataProvider.update<RaRecord>(name, { id, data, previousData: record as RaRecord });
      const words = `${field.label} of ${title} set to ${textOf(field, next)}`;
      const undo = () => void store({ ...record, ...shownValues(field, next) }, field, before, answer.data.updated_at);
      // What was taken back is not offered to be taken back.
      const isFinal = version !== undefined || !canLeadBack(field, { from: stateIn(before), to: stateIn(next) });
      const action = !isFinal && <UndoButton onUndo={offerUndo(words, undo)} />;
      notify(words, {
        type: 'success',
        messageArgs: { _: words },
        autoHideDuration: undoDuration,
        ...(action && { action }),
      });
      return true;
    } catch (error) {
      showInLists(queryClient, name, record.id, shownValues(field, before));
      const [reason] = error instanceof ApiError ? Object.values(error.errors) : [];
      reportError(
        reason === undefined ? (error as Error) : new Error(`${field.label} of ${title} was not changed: ${reason}`),
      );
      return false;
    } finally {
      await refreshAfterSaving(queryClient, name);
    }
  };
  return (record: ResourceRecord, field: Field, next: InlineValue) => store(record, field, next);
}

const stateIn = ({ value, choice }: InlineValue) => choice?.state ?? value;
