import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useDataProvider } from 'react-admin';
import { isGranted } from '../../engine/access/access-decision';
import type { Definition, Field, FieldOf } from '../../engine/definitions/definition';
import { isDate } from '../../engine/formats/dates';
import { continuedList, continuedTime } from '../../engine/forms/continued-times';
import { useDefinitions } from '../data/DefinitionsContext';
import { Icon } from '../icons/Icon';
import { useOwnerDocument } from '../layout/FramedContext';
import * as styles from './continued.module.css';

export interface ContinuedTimeProps {
  definition: Definition;
  /** A time with `suggestedFrom`. */
  field: Field;
  /** Nothing is entered yet. */
  isEmpty: boolean;
  /** The record's day, as far as it is entered. */
  day: unknown;
  /** The id of the input, where the arrow key takes what is offered. */
  inputId: string;
  onTake: (time: string) => void;
}

/** Offers the time that the caller's last record of the day ended at, while the input above is empty. */
export default function ContinuedTime({ definition, field, isEmpty, day, inputId, onTake }: ContinuedTimeProps) {
  const { actor } = useDefinitions();
  const provider = useDataProvider();
  const page = useOwnerDocument();
  const time = field as FieldOf<'time'>;
  const isDay = typeof day === 'string' && isDate(day);
  const { data: last } = useQuery({
    queryKey: [definition.name, 'continued', field.name, actor.id, day],
    queryFn: async () => {
      const { data } = await provider.getList(definition.name, {
        ...continuedList(definition, time, day as string, actor),
        pagination: { page: 1, perPage: 1 },
        meta: { fields: [field.suggestedFrom] },
      });
      return continuedTime(definition, time, data[0]) ?? null;
    },
    enabled: isEmpty && isDay && isGranted(actor, definition.name, 'list'),
    // The server's events say when one of these records changes.
    staleTime: 60_000,
    retry: false,
    meta: { quiet: true },
  });
  const offeredTime = isEmpty && isDay && typeof last === 'string' ? last : undefined;
  const isOffered = offeredTime !== undefined;
  // Its space stays when the input is filled, so that nothing below moves.
  const [wasOffered, setWasOffered] = useState(false);
  if (isOffered && !wasOffered) setWasOffered(true);
  const take = () => {
    if (offeredTime === undefined) return;
    const input = page.getElementById(inputId);
    // The input shows what was typed until it is left.
    input?.blur();
    onTake(offeredTime);
    input?.focus();
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (
      offeredTime === undefined ||
      event.key !== 'ArrowDown' ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey
    )
      return;
    event.preventDefault();
    take();
  });
  useEffect(() => {
    const input = page.getElementById(inputId);
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    input?.addEventListener('keydown', listener);
    return () => input?.removeEventListener('keydown', listener);
  }, [page, inputId]);
  if (!wasOffered) return null;
  return (
    <button
      type="button"
      className={styles.continued}
      data-gone={!isOffered || undefined}
      aria-keyshortcuts="ArrowDown"
      onClick={take}
    >
      <Icon name="clock" size={14} />
      <span className="num">Start at {last}</span>
      <kbd aria-hidden="true">↓</kbd>
    </button>
  );
}
