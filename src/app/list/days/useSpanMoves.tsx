import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useDataProvider, type RaRecord } from 'react-admin';
import type { DaysView, Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { recordTitle } from '../../../engine/lists/row-actions';
import { reportError } from '../../data/ErrorToasts';
import { useChangeToast } from '../../commands/useChangeToast';
import { refreshAfterSaving } from '../../data/refreshAfterSaving';
import { endsSession, withFieldErrors } from '../../session/apiError';
import { showInLists } from '../showInLists';
import { spanWords } from './words';
import { spanOf, valuesOfDay, valuesOfSpan, valuesWithoutDays, type Grip, type Span } from './spans';
import type { DayItem } from './useBars';

/** The functions that change the days of a record. */
interface SpanMoves {
  /** Gives it other days, from those that it has by now; `grip` says which of its two fields are changed. Returns the days. */
  readonly move: (record: ResourceRecord, grip: Grip, step: SpanStep) => Span | undefined;
  /** Gives a record without days a day. */
  readonly place: (item: DayItem, day: string) => void;
  /** Takes its days away. */
  readonly clear: (record: ResourceRecord) => void;
}

/** The days of a record after a step, from those before it. */
export type SpanStep = (span: Span) => Span;

interface Saving {
  /** The values of all steps so far, which the screen may not show yet. */
  latest: ResourceRecord;
  /** The values that wait for the save before. */
  next?: ResourceRecord;
}

/**
 * Returns functions that change the days of records: they are shown at once, stored, and can be taken back; what the
 * server refuses is shown as it was, with the reason. Steps that follow before the first is stored are stored together.
 */
export function useSpanMoves(definition: Definition, days: DaysView): SpanMoves {
  const dataProvider = useDataProvider();
  const queryClient = useQueryClient();
  const sayChanged = useChangeToast();
  const savings = useRef(new Map<unknown, Saving>());
  const { name } = definition;

  /** With a version, a later change of somebody else is not overwritten. */
  const send = async (record: ResourceRecord, values: ResourceRecord, version?: unknown): Promise<boolean> => {
    const title = recordTitle(definition, record);
    const previousValues = Object.fromEntries(Object.keys(values).map((key) => [key, record[key] ?? null]));
    await queryClient.cancelQueries({ queryKey: [name, 'getList'] });
    showInLists(queryClient, name, record.id, { ...values, ...savings.current.get(record.id)?.latest });
    try {
      const data = { ...values, ...(version !== undefined && { updated_at: version }) };
      const id = record.id as RaRecord['id'];
      const answer = await dataProvider.update<RaRecord>(name, { id, data, previousData: record as RaRecord });
      const storedRecord = { ...record, ...values };
      const span = spanOf(definition, days, storedRecord);
      const words = span ? `${title}: ${spanWords(span)}` : `${title} has no dates`;
      const undo = () => void send(storedRecord, previousValues, answer.data.updated_at).then(refresh);
      // A change that takes another one back is not offered to be taken back.
      sayChanged(words, version === undefined ? undo : undefined);
      return true;
    } catch (error) {
      showInLists(queryClient, name, record.id, previousValues);
      const { message } = withFieldErrors(error as Error);
      reportError(endsSession(error) ? error : new Error(`${title} was not moved: ${message}`));
      return false;
    }
  };
  const refresh = () => refreshAfterSaving(queryClient, name);

  const store = async (record: ResourceRecord, values: ResourceRecord): Promise<void> => {
    const saving: Saving = { latest: { ...savings.current.get(record.id)?.latest, ...values } };
    savings.current.set(record.id, saving);
    const isStored = await send(record, values);
    const { next } = saving;
    // Steps after one that was refused started from where the record is not.
    if (isStored && next) return store({ ...record, ...values }, next);
    savings.current.delete(record.id);
    await refresh();
  };

  const change = (record: ResourceRecord, values: ResourceRecord) => {
    if (Object.keys(values).length === 0) return;
    const pendingSaving = savings.current.get(record.id);
    if (!pendingSaving) return void store(record, values);
    pendingSaving.next = { ...pendingSaving.next, ...values };
    pendingSaving.latest = { ...pendingSaving.latest, ...values };
    showInLists(queryClient, name, record.id, values);
  };
  return {
    move: (record, grip, step) => {
      // A key may be pressed before the screen shows the step of the key before it.
      const latestRecord = { ...record, ...savings.current.get(record.id)?.latest };
      const span = spanOf(definition, days, latestRecord);
      const next = span && step(span);
      if (next) change(record, valuesOfSpan(definition, days, latestRecord, grip, next));
      return next;
    },
    place: ({ record, ends: movableEnds }, day) => change(record, valuesOfDay(definition, days, movableEnds, day)),
    clear: (record) => change(record, valuesWithoutDays(days, record)),
  };
}
