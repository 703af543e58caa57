import type { CSSProperties } from 'react';
import { RecordContextProvider } from 'react-admin';
import { Link } from 'react-router-dom';
import type { Definition } from '../../../engine/definitions/definition';
import { Icon } from '../../icons/Icon';
import { Initials } from '../../chips/Initials';
import { CardValue, CardValues } from '../cards/CardValues';
import { useOpenRecord } from '../../navigation/useOpenRecord';
import type { Bar } from './useBars';
import { spanWords } from './words';
import * as styles from './days.module.css';

interface DayBarProps {
  definition: Definition;
  /** The field that says whose it is. */
  person?: string;
  bar: Bar;
  /** Its last day is in another row, or its first. */
  isStart: boolean;
  isEnd: boolean;
  isDragged: boolean;
  /** There is no space for words: they are said beside it. */
  isShort?: boolean;
  style?: CSSProperties;
}

/**
 * A record over its days: a link to it, with handles at the ends that the user may change, and whose it is, which a click
 * on the initials changes.
 */
export function DayBar(props: DayBarProps) {
  const { definition, person: personField = '', bar, isStart, isEnd, isDragged, isShort = false, style } = props;
  const { path, onClick } = useOpenRecord(definition)(bar.record);
  const { record, title, span, tone, colour, person, isDone, ends: movableEnds, canMove } = bar;
  const description = [spanWords(span), colour, person, isDone && 'done'].filter(Boolean).join(', ');
  const parts = (
    <>
      {isStart && movableEnds.has('start') && <i data-grip="start" className={styles.dayGrip} />}
      {isDone ? <Icon name="check" size={14} /> : <i className={styles.dayDot} />}
      <span className={isShort ? 'unseen' : styles.dayTitle}>{title}</span>
      <span className="unseen">, {description}</span>
      {person && isEnd && !isShort && (
        <CardValue field={personField}>
          <Initials name={person} size={18} square />
        </CardValue>
      )}
      {isEnd && movableEnds.has('end') && <i data-grip="end" className={styles.dayGrip} />}
    </>
  );
  const barProps = {
    ...{ className: styles.dayBar, style, title: `${title}, ${description}`, children: parts },
    'data-bar': String(bar.id),
    'data-tone': isDone ? undefined : tone,
    'data-done': isDone || undefined,
    'data-cut-start': !isStart || undefined,
    'data-cut-end': !isEnd || undefined,
    'data-dragged': isDragged || undefined,
    'data-movable': canMove || undefined,
  };
  return (
    <RecordContextProvider value={record}>
      {path ? (
        <CardValues {...{ definition, record }}>
          <Link to={path} draggable={false} {...{ onClick }} {...barProps} />
        </CardValues>
      ) : (
        <button type="button" aria-disabled="true" {...barProps} />
      )}
    </RecordContextProvider>
  );
}
