import { useQueryClient } from '@tanstack/react-query';
import { useDataProvider, useNotify, type RaRecord } from 'react-admin';
import type { Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import { fieldTypeOf } from '../../../engine/field-types';
import { canLeadBack } from '../../../engine/validation/transitions';
import { recordTitle } from '../../../engine/lists/row-actions';
import { embedsOf, recordTitleOf } from '../../chips/titleOf';
import { useDefinitions } from '../../data/DefinitionsContext';
import { reportError } from '../../data/ErrorToasts';
import type { Choice } from '../../fields/choices/choice';
import { asRecord } from '../../fields/choices/useChoiceTitles';
import { useChangeToast } from '../../commands/useChangeToast';
import { refreshAfterSaving } from '../../data/refreshAfterSaving';
import { endsSession, withFieldErrors, type ApiError } from '../../session/apiError';
import { sendWithRetry, wasNotSent } from '../../session/connection';
import { showInLists } from '../showInLists';

/** A new value of a field, and the choice that it is of, where it is one. */
export interface InlineValue {
  readonly value: unknown;
  readonly choice?: Choice;
}

/**
 * Returns a function that changes a field of a listed record: it is shown at once, stored, and can be taken back. A value
 * that the server refuses is shown as it was, with the reason. Without a connection it waits, and can be discarded.
 *
 * @example await saveInline(record, definition.fields.status_id, { value: 3, choice });
 */
export function useInlineSave(definition: Definition) {
  const { registry } = useDefinitions();
  const dataProvider = useDataProvider();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const sayChanged = useChangeToast();
  const { name } = definition;

  const textOf = (field: Field, { value, choice }: InlineValue): string => {
    if (choice) return choice.title;
    const text = value === null || value === undefined ? '' : fieldTypeOf(field).toText(value, field);
    return text === '' ? (field.emptyText ?? 'empty') : text;
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
    const previousValue = valueOf(record, field);
    const title = recordTitle(definition, record);
    const cancellation = new AbortController();
    await queryClient.cancelQueries({ queryKey: [name, 'getList'] });
    showInLists(queryClient, name, record.id, shownValues(field, next));
    try {
      const id = record.id as RaRecord['id'];
      // A change that has waited must not overwrite what somebody else has changed meanwhile.
      let knownVersion = version;
      const send = () => {
        const data = {
          [field.name]: next.value ?? null,
          ...(knownVersion !== undefined && { updated_at: knownVersion }),
        };
        return dataProvider.update<RaRecord>(name, { id, data, previousData: record as RaRecord });
      };
      const onLost = (failure: ApiError) => {
        if (wasNotSent(failure)) knownVersion ??= record.updated_at;
      };
      const change = { label: `${field.label} of ${title}`, discard: () => cancellation.abort() };
      const answer = await sendWithRetry(send, onLost, cancellation.signal, change);
      const words = `${field.label} of ${title} set to ${textOf(field, next)}`;
      const undo = () =>
        void store({ ...record, ...shownValues(field, next) }, field, previousValue, answer.data.updated_at);
      // Undo itself offers no Undo.
      const isFinal = version !== undefined || !canLeadBack(field, { from: stateIn(previousValue), to: stateIn(next) });
      sayChanged(words, isFinal ? undefined : undo);
      return true;
    } catch (error) {
      showInLists(queryClient, name, record.id, shownValues(field, previousValue));
      const isDiscarded = cancellation.signal.aborted;
      const words = isDiscarded
        ? `${field.label} of ${title} is ${textOf(field, previousValue)} again`
        : `${field.label} of ${title} was not changed: ${withFieldErrors(error as Error).message}`;
      if (isDiscarded) notify(words, { type: 'info', messageArgs: { _: words } });
      else reportError(endsSession(error) ? (error as Error) : new Error(words));
      return false;
    } finally {
      await refreshAfterSaving(queryClient, name);
    }
  };
  return (record: ResourceRecord, field: Field, next: InlineValue) => store(record, field, next);
}

const stateIn = ({ value, choice }: InlineValue) => choice?.state ?? value;
